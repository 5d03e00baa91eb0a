//! The finished program: the kernel's parameters and name.

use super::symbol::symbol;
use super::table::Types;
use super::{ProgramTyper, Site};
use crate::entry::BuildError;
use crate::record::Instance;
use crate::span::Span;
use crate::typed::{Function, FunctionId, Kernel, KernelAttributes, KernelParam, Program};
use crate::types::{Mutability, Type, TypeId};
use crate::verify;

/// Puts the program together once every function is typed.
pub(super) fn finish(
    typer: ProgramTyper,
    instance: &Instance,
    attributes: KernelAttributes,
) -> Result<Program, BuildError> {
    let site = Site { file: instance.file, span: Span::default() };
    let functions: Option<Vec<Function>> = typer.functions.into_iter().collect();
    let functions = functions.ok_or_else(|| site.contradiction("a function without a body"))?;
    let kernel = functions.first().ok_or_else(|| site.contradiction("a kernel without a body"))?;
    let site = Site { span: kernel.span, ..site };
    if let Some(name) = untold_enum(&typer.types) {
        return Err(site.error(format!(
            "how rustc tells the variants of `{name}` apart is not known here: put `#[repr(u8)]` on the enum"
        )));
    }
    if kernel.result != typer.types.unit && kernel.result != typer.types.never {
        return Err(site.error("a kernel returns nothing: write its results to a `&mut` parameter"));
    }
    let params = kernel
        .params
        .iter()
        .map(|local| {
            let local = &kernel.locals[local.0 as usize];
            kernel_param(&typer.types, local.ty, Site { span: local.span, ..site })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let kernel = Kernel {
        name: instance.name.clone(),
        symbol: symbol(&instance.name),
        function: FunctionId(0),
        params,
        attributes,
    };
    let program = Program { types: typer.types.table, functions, shared: typer.shared, kernel };
    match verify::here(&program) {
        Ok(()) => Ok(program),
        Err(e) => Err(site.contradiction(format!("the typed program is not well-formed ({e})"))),
    }
}

/// An enum whose layout could not be found out.
fn untold_enum(types: &Types) -> Option<String> {
    types.table.iter().find_map(|(id, ty)| match ty {
        Type::Enum(description) if !description.tells_variants_apart() => Some(types.name(id)),
        _ => None,
    })
}

/// How a parameter of this type reaches the kernel.
fn kernel_param(types: &Types, ty: TypeId, site: Site) -> Result<KernelParam, BuildError> {
    let Some(pointer) = types.as_pointer(ty).filter(|p| !p.raw) else {
        let reference = types.find(ty, |_, t| matches!(t, Type::Pointer { raw: false, .. }));
        return match reference {
            None => Ok(KernelParam::Value(ty)),
            Some(inner) => {
                let (ty, inner) = (types.name(ty), types.name(inner));
                Err(site.error(format!(
                    "a `{ty}` can't be a kernel's parameter: it holds a `{inner}`, an address of the host"
                )))
            }
        };
    };
    let mutable = pointer.mutability == Mutability::Mutable;
    let (element, param) = match *types.get(pointer.pointee) {
        Type::Slice(element) => (element, KernelParam::Slice { element, mutable }),
        Type::Str => {
            return Err(site.error("a `str` can't be a kernel's parameter: pass its bytes as a `&[u8]`"));
        }
        _ => (pointer.pointee, KernelParam::Element { element: pointer.pointee, mutable }),
    };
    match types.find_pointer(element) {
        None => Ok(param),
        Some(inner) => {
            let (element, inner) = (types.name(element), types.name(inner));
            Err(site.error(format!("a buffer of `{element}` can't be a kernel's parameter: it holds a `{inner}`, an address of the host")))
        }
    }
}
