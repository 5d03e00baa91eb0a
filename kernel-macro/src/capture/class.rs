//! What the tokens alone make certain about types.
//!
//! Where both operands of an operator are primitive for certain, no callee need be recorded, and a literal beside one
//! has its type. Were a class wrong, the typed builder would meet an operator without a note on a type that is not
//! primitive, and say so: a class can cost an error message, never a wrong program.

use wavewright_kernel_ir::scalar::Scalar;

/// What is certain about the type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Class {
    /// Nothing.
    #[default]
    Unknown,
    /// It is a primitive type.
    Scalar,
    /// There is no value: what computes it never gets there.
    Never,
    /// It is a reference or raw pointer to this.
    Pointer(Box<Class>),
    /// It is an array or slice of this.
    Sequence(Box<Class>),
    /// It is a tuple of these.
    Tuple(Vec<Class>),
}

impl Class {
    /// That of a type as written.
    pub fn of(ty: &syn::Type) -> Self {
        match ty {
            syn::Type::Path(path) if primitive(path).is_some() => Class::Scalar,
            syn::Type::Reference(r) => Class::pointer(Class::of(&r.elem)),
            syn::Type::Ptr(p) => Class::pointer(Class::of(&p.elem)),
            syn::Type::Slice(s) => Class::sequence(Class::of(&s.elem)),
            syn::Type::Array(a) => Class::sequence(Class::of(&a.elem)),
            syn::Type::Tuple(t) => Class::Tuple(t.elems.iter().map(Class::of).collect()),
            syn::Type::Paren(p) => Class::of(&p.elem),
            syn::Type::Group(g) => Class::of(&g.elem),
            _ => Class::Unknown,
        }
    }

    pub fn pointer(to: Class) -> Self {
        Class::Pointer(Box::new(to))
    }

    pub fn sequence(of: Class) -> Self {
        Class::Sequence(Box::new(of))
    }

    /// Whether it is primitive, or a reference to a primitive, for certain: operators on it are those of the language.
    pub fn is_scalar(&self) -> bool {
        match self {
            Class::Scalar => true,
            Class::Pointer(to) => **to == Class::Scalar,
            _ => false,
        }
    }

    /// Whether it is an array or slice, or a reference to one.
    pub fn is_sequence(&self) -> bool {
        match self {
            Class::Sequence(_) => true,
            Class::Pointer(to) => to.is_sequence(),
            _ => false,
        }
    }

    /// That of an element.
    pub fn element(&self) -> Class {
        match self {
            Class::Sequence(element) => (**element).clone(),
            Class::Pointer(to) => to.element(),
            _ => Class::Unknown,
        }
    }

    /// That of what it points to.
    pub fn pointee(&self) -> Class {
        match self {
            Class::Pointer(to) => (**to).clone(),
            _ => Class::Unknown,
        }
    }

    /// That of a field of a tuple.
    pub fn field(&self, name: &str) -> Class {
        match self {
            Class::Tuple(parts) => {
                name.parse().ok().and_then(|n: usize| parts.get(n).cloned()).unwrap_or_default()
            }
            Class::Pointer(to) => to.field(name),
            _ => Class::Unknown,
        }
    }

    /// What is certain of a value that has one class or the other.
    pub fn join(self, other: Class) -> Class {
        match (self, other) {
            (Class::Never, class) | (class, Class::Never) => class,
            (a, b) if a == b => a,
            _ => Class::Unknown,
        }
    }
}

/// The primitive type that a path names.
pub fn primitive(path: &syn::TypePath) -> Option<Scalar> {
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
    Scalar::from_name(&name.to_string())
}

/// That of the result of a device function that is known by its path: `thread::global_x()`.
pub fn of_call(path: &syn::Path) -> Class {
    let mut last = path.segments.iter().rev().map(|s| s.ident.to_string());
    let (Some(function), Some(module)) = (last.next(), last.next()) else { return Class::Unknown };
    let index_space = match module.as_str() {
        "thread" => ["x", "y", "z", "global_x", "global_y", "global_z"].contains(&function.as_str()),
        "block" => ["x", "y", "z", "size_x", "size_y", "size_z"].contains(&function.as_str()),
        "grid" => ["size_x", "size_y", "size_z"].contains(&function.as_str()),
        _ => false,
    };
    if index_space { Class::Scalar } else { Class::Unknown }
}

/// That of the result of a method of std on a value of this class.
pub fn of_method(receiver: &Class, method: &str) -> Class {
    const ON_SCALARS: &[&str] = &[
        "abs",
        "ceil",
        "count_ones",
        "floor",
        "from_bits",
        "is_nan",
        "leading_zeros",
        "max",
        "min",
        "mul_add",
        "rotate_left",
        "rotate_right",
        "round",
        "sqrt",
        "to_bits",
        "trailing_zeros",
        "trunc",
        "wrapping_add",
        "wrapping_mul",
        "wrapping_sub",
    ];
    match method {
        "len" | "is_empty" if receiver.is_sequence() => Class::Scalar,
        "get_unchecked" | "get_unchecked_mut" if receiver.is_sequence() => Class::pointer(receiver.element()),
        "as_ptr" | "as_mut_ptr" if receiver.is_sequence() => Class::pointer(receiver.element()),
        "add" if matches!(receiver, Class::Pointer(_)) => receiver.clone(),
        "clone" if *receiver == Class::Scalar => Class::Scalar,
        _ if *receiver == Class::Scalar && ON_SCALARS.contains(&method) => Class::Scalar,
        _ => Class::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ty: &str) -> Class {
        Class::of(&syn::parse_str(ty).unwrap())
    }

    #[test]
    fn classes_of_types() {
        assert_eq!(of("f32"), Class::Scalar);
        assert_eq!(of("&mut [u8]").element(), Class::Scalar);
        assert!(of("&&[[f32; 4]; 4]").element().is_sequence());
        assert_eq!(of("(f32, T)").field("0"), Class::Scalar);
        assert_eq!(of("(f32, T)").field("1"), Class::Unknown);
        assert_eq!(of("core::primitive::f32"), Class::Unknown);
        assert!(of("&f32").is_scalar() && !of("&&f32").is_scalar());
    }

    #[test]
    fn calls_known_by_their_path() {
        let of = |path| of_call(&syn::parse_str(path).unwrap());
        assert_eq!(of("thread::global_x"), Class::Scalar);
        assert_eq!(of("wavewright::grid::size_y"), Class::Scalar);
        assert_eq!(of("global_x"), Class::Unknown);
        assert_eq!(of("thread::new"), Class::Unknown);
    }
}
