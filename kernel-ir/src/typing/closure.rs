//! Closures: each becomes a function whose first parameter points to what it captures.
//!
//! The body is typed first, with the variables outside marked as such; then the uses of these variables tell the
//! captures, by the rules of Rust 2021: not whole variables but the places named (`p.x`, `*r`), a prefix where one
//! contains the other, and nothing beyond a reference that can be captured itself. So assigning to a `r: &T` outside,
//! once a closure has been made that reads `*r`, changes nothing for the closure, as in Rust.
//!
//! What is only read in whole is captured by value even without `move`: nobody may change it while the closure lives,
//! and a copy needs no address.

use super::Closure;
use super::function::{Frame, FunctionTyper, OUTSIDE};
use super::join::{Expected, Join};
use super::place::{Purpose, address_of, deref, local_place};
use super::table::Types;
use crate::captured::{self, Param};
use crate::entry::BuildError;
use crate::span::Span;
use crate::typed::{Expr, ExprKind, Function, LocalId, Place, PlaceKind};
use crate::types::{Mutability, TypeId};
use crate::visit::{Visit, VisitMut, walk_expr, walk_place_mut};

impl FunctionTyper<'_, '_> {
    /// `|a, b| body`.
    pub fn closure(
        &mut self,
        by_move: bool,
        params: &[Param],
        body: &captured::Expr,
        span: Span,
    ) -> Result<Expr, BuildError> {
        let name = format!("{}::{{closure#{}}}", self.frame().name, self.frame().closures);
        self.frame_mut().closures += 1;
        let serial = self.program.next_frame();
        self.frames.push(Frame::new(name, Join::new(Expected::Any), serial));
        let environment = self.environment(span);
        let mut statements = Vec::new();
        let (mut locals, mut types) = (vec![environment], Vec::new());
        for param in params {
            let (table, site) = (&self.program.types.table, self.site(param.pattern.span));
            let ty = super::closure_param_type(table, self.instance, param, site)?;
            locals.push(self.param(&param.pattern, ty, &mut statements)?);
            types.push(ty);
        }
        let value = self.expr(body, Expected::Any)?;
        let value = self.returned(value)?;
        let mut body = self.after(statements, value);
        let result = self.frame().returns.ty(self);
        self.refuse_dangling(result, span)?;

        let frame = self.frames.pop().expect("the closure's frame was pushed above");
        let captures = Captures::of(&body, by_move, &self.program.types);
        let mut parts = Vec::new();
        for capture in &captures.all {
            parts.push(self.captured_value(capture, by_move, span)?);
        }
        let name = frame.name;
        let held: Vec<TypeId> = parts.iter().map(|p| p.ty).collect();
        let ty = self.program.types.closure(name.clone(), &held);
        let mutability = if captures.change_own() { Mutability::Mutable } else { Mutability::Shared };
        let pointer = self.program.types.reference(ty, mutability);
        Rewrite { captures: &captures, held: &held, closure: ty, environment, pointer }.expr(&mut body);

        let mut slots = frame.slots;
        slots[environment.0 as usize].ty = Some(pointer);
        let file = self.instance.file.into();
        let done = Function {
            name,
            file,
            span,
            params: locals,
            locals: self.locals(slots)?,
            result,
            // As in Rust: a closure in a function that is doesn't.
            track_caller: false,
            body,
        };
        let function = self.program.add_function(done);
        let borrows = captures.all.iter().any(|c| !by_move && c.mode != Mode::Copy && !c.path.has_deref());
        let borrows_of = borrows.then(|| self.frame().serial);
        let closure = Closure { function, params: types, result, environment: pointer, borrows_of };
        self.program.closures.insert(ty, closure);
        Ok(super::expr::aggregate(parts, Vec::new(), ty, span))
    }

    /// The local that holds the pointer to the captures. Its type is known when they are.
    fn environment(&mut self, span: Span) -> LocalId {
        let unit = self.program.types.unit;
        self.temporary(unit, span)
    }

    /// What a capture is when the closure is made.
    fn captured_value(&mut self, capture: &Capture, by_move: bool, span: Span) -> Result<Expr, BuildError> {
        let mut place = self.variable(capture.path.variable, span)?;
        for step in &capture.path.steps {
            place = match *step {
                Step::Field { number, ty } => {
                    Place { kind: PlaceKind::Field(Box::new(place), number), ty, span }
                }
                Step::Deref { pointee, .. } => deref(self.load(place)?, pointee, span),
            };
        }
        let mutability = match capture.mode {
            Mode::Copy => return self.load(place),
            _ if by_move => return self.load(place),
            Mode::Borrow => Mutability::Shared,
            Mode::Change => Mutability::Mutable,
        };
        let ty = self.program.types.reference(place.ty, mutability);
        Ok(address_of(place, ty, span))
    }

    /// `f(a, b)` of a closure, or of a reference to one.
    pub fn call_value(
        &mut self,
        callee: &captured::Expr,
        arguments: &[captured::Expr],
        span: Span,
    ) -> Result<Expr, BuildError> {
        let mut place = self.place(callee, Purpose::Change, None)?;
        let first = place.ty;
        while !self.program.types.is_closure(place.ty) {
            let Some(pointee) = self.program.types.referent(place.ty) else {
                let ty = self.program.types.name(first);
                return Err(self
                    .error(span, format!("a `{ty}` can't be called: kernels call functions and closures")));
            };
            place = deref(self.load(place)?, pointee, span);
        }
        let Some(closure) = self.program.closures.get(&place.ty).cloned() else {
            return Err(self.error(span, "a closure of another kernel"));
        };
        if closure.params.len() != arguments.len() {
            let message = format!("{} arguments for a closure of {}", arguments.len(), closure.params.len());
            return Err(self.error(span, message));
        }
        let mut values = vec![address_of(place, closure.environment, callee.span)];
        for (argument, ty) in arguments.iter().zip(&closure.params) {
            values.push(self.expr(argument, Expected::Coerce(*ty))?);
        }
        Ok(Expr { kind: ExprKind::Call(closure.function, values), ty: closure.result, span })
    }

    /// Refuses to return a closure that points to variables of the function that returns it.
    ///
    /// rustc accepts one without `move` where the body consumes what it captures.
    pub fn refuse_dangling(&self, result: TypeId, span: Span) -> Result<(), BuildError> {
        let serial = self.frame().serial;
        let closures = &self.program.closures;
        let dangles = |ty: TypeId| closures.get(&ty).is_some_and(|c| c.borrows_of == Some(serial));
        if self.program.types.find(result, |id, _| dangles(id)).is_some() {
            return Err(
                self.error(span, "a closure that is returned must own what it uses: write `move` before it")
            );
        }
        Ok(())
    }
}

/// A step from a place to a part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Field { number: u32, ty: TypeId },
    Deref { pointee: TypeId, mutability: Mutability, raw: bool },
}

impl Step {
    fn is_deref(&self) -> bool {
        matches!(self, Step::Deref { .. })
    }
}

/// A variable outside, or a part of it.
#[derive(Clone, PartialEq, Eq)]
struct Path {
    variable: LocalId,
    steps: Vec<Step>,
}

impl Path {
    fn has_deref(&self) -> bool {
        self.steps.iter().any(Step::is_deref)
    }

    /// The steps from `self` to `inner`, if `inner` is a part of `self`.
    fn steps_to<'a>(&self, inner: &'a Path) -> Option<&'a [Step]> {
        let same = self.variable == inner.variable && inner.steps.starts_with(&self.steps);
        same.then(|| &inner.steps[self.steps.len()..])
    }
}

/// How a place is used, from what asks least to what asks most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    /// Its value is read in whole.
    Copy,
    /// A part of it is looked up, or it is borrowed with `&`.
    Borrow,
    /// It is written or borrowed with `&mut`.
    Change,
}

struct Capture {
    path: Path,
    mode: Mode,
}

/// The captures of a closure, in the order of their first use.
struct Captures {
    all: Vec<Capture>,
    by_move: bool,
}

impl Captures {
    fn of(body: &Expr, by_move: bool, types: &Types) -> Self {
        let mut uses = Uses { captures: Captures { all: Vec::new(), by_move }, types };
        uses.expr(body);
        uses.captures
    }

    /// Whether a call changes what the closure itself holds.
    fn change_own(&self) -> bool {
        self.all.iter().any(|c| c.mode == Mode::Change && !c.path.has_deref())
    }

    /// Takes a use in: shortened as Rust does it, and as part of what is captured already where it is.
    fn add(&mut self, mut path: Path, mut mode: Mode) {
        if self.by_move {
            let end = path.steps.iter().position(Step::is_deref);
            mode = shorten(&mut path, end, mode);
        } else {
            let raw = path.steps.iter().position(|s| matches!(s, Step::Deref { raw: true, .. }));
            mode = shorten(&mut path, raw, mode);
            let shared = |s: &Step| matches!(s, Step::Deref { mutability: Mutability::Shared, .. });
            if let Some(last) = path.steps.iter().rposition(shared) {
                path.steps.truncate(last + 1);
                mode = Mode::Borrow;
            }
            if let (Mode::Copy, Some(last)) = (mode, path.steps.iter().rposition(Step::is_deref)) {
                path.steps.truncate(last + 1);
                mode = Mode::Borrow;
            }
        }
        if let Some((outer, rest)) =
            self.all.iter_mut().find_map(|c| Some((&mut c.mode, c.path.steps_to(&path)?)))
        {
            *outer = (*outer).max(from_part(rest, mode));
            return;
        }
        let mut place = self.all.len();
        let mut number = 0;
        self.all.retain(|c| {
            let part = path.steps_to(&c.path);
            if let Some(rest) = part {
                place = place.min(number);
                mode = mode.max(from_part(rest, c.mode));
            }
            number += 1;
            part.is_none()
        });
        self.all.insert(place.min(self.all.len()), Capture { path, mode });
    }
}

/// Cuts a path before step `end`, a dereference: of the pointer there, only its value is needed.
fn shorten(path: &mut Path, end: Option<usize>, mode: Mode) -> Mode {
    match end {
        None => mode,
        Some(end) => {
            path.steps.truncate(end);
            Mode::Copy
        }
    }
}

/// What the use of a part, `rest` steps away, asks of the whole: behind a pointer, only the pointer's value.
fn from_part(rest: &[Step], mode: Mode) -> Mode {
    if rest.iter().any(Step::is_deref) { Mode::Copy } else { mode }
}

/// Finds the uses of variables outside.
struct Uses<'t> {
    captures: Captures,
    types: &'t Types,
}

/// The place that a use names, as far as it can be captured.
struct Chain {
    path: Path,
    /// An element was taken: what follows is no part of the path.
    closed: bool,
    /// A pointer was followed after that.
    left: bool,
}

impl Uses<'_> {
    fn used(&mut self, place: &Place, mode: Mode) {
        let Some(chain) = self.chain(place) else { return };
        let mode = match (chain.closed, chain.left) {
            (false, _) => mode,
            (true, false) => mode.max(Mode::Borrow),
            (true, true) => Mode::Borrow,
        };
        self.captures.add(chain.path, mode);
    }

    /// The path to a place, if it starts at a variable outside. Values on the way are looked at.
    fn chain(&mut self, place: &Place) -> Option<Chain> {
        match &place.kind {
            PlaceKind::Local(local) if local.0 & OUTSIDE != 0 => {
                let path = Path { variable: LocalId(local.0 & !OUTSIDE), steps: Vec::new() };
                Some(Chain { path, closed: false, left: false })
            }
            PlaceKind::Local(_) | PlaceKind::Constant(_) | PlaceKind::Shared(_) => None,
            PlaceKind::Field(base, number) => {
                let mut chain = self.chain(base)?;
                if !chain.closed {
                    chain.path.steps.push(Step::Field { number: *number, ty: place.ty });
                }
                Some(chain)
            }
            // Rust captures an enum whose variant a pattern asks for as a whole.
            PlaceKind::Variant(base, _) => self.chain(base).map(|chain| Chain { closed: true, ..chain }),
            PlaceKind::Index { base, index, .. } => {
                let chain = self.chain(base);
                self.expr(index);
                chain.map(|chain| Chain { closed: true, ..chain })
            }
            PlaceKind::Subslice { base, start, end, .. } => {
                let chain = self.chain(base);
                start.iter().chain(end).for_each(|e| self.expr(e));
                chain.map(|chain| Chain { closed: true, ..chain })
            }
            PlaceKind::Deref(pointer) => {
                let (ExprKind::Load(from), Some(p)) = (&pointer.kind, self.types.as_pointer(pointer.ty))
                else {
                    self.expr(pointer);
                    return None;
                };
                let mut chain = self.chain(from)?;
                if chain.closed {
                    chain.left = true;
                } else {
                    let (pointee, mutability, raw) = (p.pointee, p.mutability, p.raw);
                    chain.path.steps.push(Step::Deref { pointee, mutability, raw });
                }
                Some(chain)
            }
        }
    }
}

impl Visit for Uses<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.used(place, Mode::Copy),
            ExprKind::AddressOf(place) => {
                let pointer = self.types.as_pointer(expr.ty);
                let mutable = pointer.is_some_and(|p| p.mutability == Mutability::Mutable);
                self.used(place, if mutable { Mode::Change } else { Mode::Borrow });
            }
            ExprKind::Length(place) | ExprKind::VariantOf(place) => self.used(place, Mode::Borrow),
            ExprKind::Assign(place, value) | ExprKind::AssignBinary(_, place, value) => {
                self.expr(value);
                self.used(place, Mode::Change);
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// Puts the captures in the place of the variables outside.
struct Rewrite<'a> {
    captures: &'a Captures,
    /// The types of the captures, as the closure holds them.
    held: &'a [TypeId],
    closure: TypeId,
    environment: LocalId,
    /// The type of the pointer to the captures.
    pointer: TypeId,
}

impl Rewrite<'_> {
    /// Where the closure finds capture `number`.
    fn place_of(&self, number: usize, ty: TypeId, span: Span) -> Place {
        let environment = local_place(self.environment, self.pointer, span);
        let pointer = Expr { kind: ExprKind::Load(environment), ty: self.pointer, span };
        let closure = Box::new(deref(pointer, self.closure, span));
        let held = self.held[number];
        let field = Place { kind: PlaceKind::Field(closure, number as u32), ty: held, span };
        if self.captures.by_move || self.captures.all[number].mode == Mode::Copy {
            return field;
        }
        deref(Expr { kind: ExprKind::Load(field), ty: held, span }, ty, span)
    }
}

impl VisitMut for Rewrite<'_> {
    fn place(&mut self, place: &mut Place) {
        let captured = self.captures.all.iter().position(|c| is_at(place, c.path.variable, &c.path.steps));
        match captured {
            Some(number) => *place = self.place_of(number, place.ty, place.span),
            None => walk_place_mut(self, place),
        }
    }
}

/// Whether a place is the one at the end of these steps from a variable outside.
fn is_at(place: &Place, variable: LocalId, steps: &[Step]) -> bool {
    match (&place.kind, steps.split_last()) {
        (PlaceKind::Local(local), None) => local.0 == variable.0 | OUTSIDE,
        (PlaceKind::Field(base, number), Some((Step::Field { number: wanted, .. }, before))) => {
            number == wanted && is_at(base, variable, before)
        }
        (PlaceKind::Deref(pointer), Some((Step::Deref { .. }, before))) => match &pointer.kind {
            ExprKind::Load(from) => is_at(from, variable, before),
            _ => false,
        },
        _ => false,
    }
}
