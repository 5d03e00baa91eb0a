//! One body: its variables, labels and result, and those of the closures in it.

use super::join::{Expected, Join};
use super::{ProgramTyper, Site, recorded_type, unexpected_record};
use crate::captured::{Annotation, Body, LabelId, LocalId, Note, Pattern, PatternKind};
use crate::entry::BuildError;
use crate::record::{Instance, InstanceId, Record};
use crate::span::Span;
use crate::typed::{Expr, ExprKind, Function, Local, Place, PlaceKind, Statement};
use crate::types::{Type, TypeId};
use std::collections::HashMap;

/// A variable or temporary whose type may still have to come from its first assignment.
pub(super) struct Slot {
    pub name: String,
    pub ty: Option<TypeId>,
    pub span: Span,
}

/// Where `continue` goes.
#[derive(Clone, Copy)]
pub(super) enum Next {
    /// To the start of the loop of this label.
    Round(LabelId),
    /// Out of the block of this label, which is one round of the loop.
    Leave(LabelId),
    /// Nowhere: it is a labelled block.
    None,
}

/// What a label of the source has become.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub leave: LabelId,
    pub next: Next,
    pub value: Join,
}

/// A function or closure that is being typed.
pub(super) struct Frame {
    pub slots: Vec<Slot>,
    pub variables: HashMap<LocalId, LocalId>,
    pub targets: HashMap<LabelId, Target>,
    pub labels: u32,
    pub returns: Join,
    pub closures: u32,
    /// Tells frames of the program apart.
    pub serial: u32,
    /// The path of the function or closure, for people.
    pub name: String,
}

impl Frame {
    pub fn new(name: String, returns: Join, serial: u32) -> Self {
        Self {
            slots: Vec::new(),
            variables: HashMap::new(),
            targets: HashMap::new(),
            labels: 0,
            returns,
            closures: 0,
            serial,
            name,
        }
    }
}

/// Marks, in a closure's body until its captures are known, a variable of the function outside.
pub(super) const OUTSIDE: u32 = 1 << 31;

/// Types one body.
pub(super) struct FunctionTyper<'p, 'i> {
    pub program: &'p mut ProgramTyper<'i>,
    pub instance: &'i Instance,
    pub id: InstanceId,
    names: &'p [String],
    /// The function, then the closures around where we are.
    pub frames: Vec<Frame>,
}

impl<'p, 'i> FunctionTyper<'p, 'i> {
    pub fn new(
        program: &'p mut ProgramTyper<'i>,
        instance: &'i Instance,
        id: InstanceId,
        body: &'p Body,
    ) -> Self {
        Self { program, instance, id, names: &body.locals, frames: Vec::new() }
    }

    /// Types the whole function.
    pub fn function(
        mut self,
        body: &Body,
        params: &[Option<TypeId>],
        result: Option<TypeId>,
    ) -> Result<Function, BuildError> {
        let serial = self.program.next_frame();
        let returns = Join::new(result.map_or(Expected::Any, Expected::Coerce));
        self.frames.push(Frame::new(self.instance.name.clone(), returns, serial));
        let mut statements = Vec::new();
        let mut param_locals = Vec::new();
        for (param, ty) in body.params.iter().zip(params) {
            let ty = ty.ok_or_else(|| {
                self.error(body.span, "a parameter has no type: the function is never called")
            })?;
            param_locals.push(self.param(&param.pattern, ty, &mut statements)?);
        }
        let expected = self.frame().returns.expected();
        let value = self.block(&body.block, expected, body.span)?;
        let value = self.returned(value)?;
        let value = self.after(statements, value);
        let result = result.unwrap_or_else(|| self.frame().returns.ty(&self));
        self.refuse_dangling(result, body.span)?;
        let frame = self.frames.pop().expect("the function's own frame is left");
        Ok(Function {
            name: frame.name,
            file: self.instance.file.into(),
            span: body.span,
            params: param_locals,
            locals: self.locals(frame.slots)?,
            result,
            track_caller: self.instance.track_caller,
            body: value,
        })
    }

    /// Takes a `return`ed value, or the body's, into the type of the frame's result.
    pub fn returned(&mut self, value: Expr) -> Result<Expr, BuildError> {
        let mut returns = self.frame().returns;
        let value = returns.add(self, value)?;
        self.frame_mut().returns = returns;
        Ok(value)
    }

    /// The local that holds an argument; what its pattern binds is added to `statements`.
    pub fn param(
        &mut self,
        pattern: &Pattern,
        ty: TypeId,
        statements: &mut Vec<Statement>,
    ) -> Result<LocalId, BuildError> {
        if let PatternKind::Binding { local, by_reference: None, sub: None, .. } = pattern.kind {
            return self.bind(local, Some(ty), pattern.span);
        }
        let local = self.temporary(ty, pattern.span);
        let place = Place { kind: PlaceKind::Local(local), ty, span: pattern.span };
        self.bind_irrefutable(pattern, place, statements)?;
        Ok(local)
    }

    /// The finished locals of a frame.
    pub fn locals(&self, slots: Vec<Slot>) -> Result<Vec<Local>, BuildError> {
        slots
            .into_iter()
            .map(|slot| match slot.ty {
                Some(ty) => Ok(Local { name: slot.name, ty, span: slot.span }),
                None => {
                    let message =
                        format!("`{}` is never assigned, so its type is not known: remove it", slot.name);
                    Err(self.error(slot.span, message))
                }
            })
            .collect()
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a body is being typed")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a body is being typed")
    }

    /// Brings a variable to life. The alternatives of a pattern bind the same variables, each once.
    pub fn bind(&mut self, variable: LocalId, ty: Option<TypeId>, span: Span) -> Result<LocalId, BuildError> {
        if let Some(local) = self.frame().variables.get(&variable).copied() {
            if let Some(ty) = ty {
                self.settle(local, ty, span)?;
            }
            return Ok(local);
        }
        let name = self.names.get(variable.0 as usize).cloned();
        let name = name.ok_or_else(|| self.contradiction(span, "a variable without a name"))?;
        let local = self.slot(name, ty, span);
        self.frame_mut().variables.insert(variable, local);
        Ok(local)
    }

    /// Gives a local its type, or checks it against the one that it has.
    pub fn settle(&mut self, local: LocalId, ty: TypeId, span: Span) -> Result<(), BuildError> {
        let slot = &mut self.frame_mut().slots[local.0 as usize];
        match slot.ty {
            None => slot.ty = Some(ty),
            Some(known) if known == ty => {}
            Some(known) => return Err(self.mismatch(span, known, ty)),
        }
        Ok(())
    }

    /// A local that the compiler makes.
    pub fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.slot(String::new(), Some(ty), span)
    }

    fn slot(&mut self, name: String, ty: Option<TypeId>, span: Span) -> LocalId {
        let slots = &mut self.frame_mut().slots;
        slots.push(Slot { name, ty, span });
        LocalId(slots.len() as u32 - 1)
    }

    /// The place of a variable: of this body, or (marked) of one around it.
    pub fn variable(&self, variable: LocalId, span: Span) -> Result<Place, BuildError> {
        for (depth, frame) in self.frames.iter().rev().enumerate() {
            let Some(local) = frame.variables.get(&variable) else { continue };
            let slot = &frame.slots[local.0 as usize];
            let ty = slot.ty.ok_or_else(|| {
                let message = format!("the type of `{}` is not known here: write it at the `let`", slot.name);
                self.error(span, message)
            })?;
            let local = if depth == 0 { *local } else { LocalId(variable.0 | OUTSIDE) };
            return Ok(Place { kind: PlaceKind::Local(local), ty, span });
        }
        Err(self.contradiction(span, "a variable that is not bound"))
    }

    pub fn fresh_label(&mut self) -> LabelId {
        let frame = self.frame_mut();
        frame.labels += 1;
        LabelId(frame.labels - 1)
    }

    /// What a label has become, in this body.
    pub fn target(&self, label: LabelId, span: Span) -> Result<Target, BuildError> {
        let target = self.frame().targets.get(&label).copied();
        target.ok_or_else(|| self.contradiction(span, "a label that is not around"))
    }

    pub fn site(&self, span: Span) -> Site {
        Site { file: self.instance.file, span }
    }

    pub fn error(&self, span: Span, message: impl Into<String>) -> BuildError {
        self.site(span).error(message)
    }

    /// Tree and records contradict each other, or themselves.
    pub fn contradiction(&self, span: Span, message: impl std::fmt::Display) -> BuildError {
        self.site(span).contradiction(message)
    }

    /// A value is of another type than its place wants.
    pub fn mismatch(&self, span: Span, wanted: TypeId, found: TypeId) -> BuildError {
        let types = &self.program.types;
        let (wanted, found) = (types.name(wanted), types.name(found));
        self.error(span, format!("`{wanted}` is wanted here but this is `{found}`: annotate the type"))
    }

    pub fn noted_type(&self, note: Note, span: Span) -> Result<TypeId, BuildError> {
        recorded_type(&self.program.types.table, self.instance, note, self.site(span))
    }

    pub fn annotated_type(&mut self, annotation: Annotation, span: Span) -> Result<TypeId, BuildError> {
        match annotation {
            Annotation::Scalar(scalar) => Ok(self.program.types.scalar(scalar)),
            Annotation::Note(note) => self.noted_type(note, span),
        }
    }

    pub fn noted_callee(&self, note: Note, span: Span) -> Result<(InstanceId, &'i Instance), BuildError> {
        let record = self.instance.records.get(note.0 as usize);
        let Some(Record::Callee(id)) = record else {
            return Err(unexpected_record(self.site(span), "a function", record));
        };
        let instance = self.program.instance(*id);
        instance.map(|i| (*id, i)).ok_or_else(|| self.contradiction(span, format!("no instance {}", id.0)))
    }

    pub fn noted_constant(&self, note: Note, span: Span) -> Result<(TypeId, &'i [u8]), BuildError> {
        let record = self.instance.records.get(note.0 as usize);
        let Some(Record::Constant(ty, bytes)) = record else {
            return Err(unexpected_record(self.site(span), "a constant", record));
        };
        let types = &self.program.types;
        if !types.table.contains(*ty) {
            return Err(self.contradiction(span, format!("no type has the number {}", ty.0)));
        }
        if let Some(part) = types
            .find(*ty, |_, t| matches!(t, Type::Pointer { .. } | Type::Never | Type::Slice(_) | Type::Str))
        {
            let why = match types.get(part) {
                Type::Pointer { .. } => "an address of the host",
                _ => "which has no bytes of its own",
            };
            let (ty, part) = (types.name(*ty), types.name(part));
            return Err(self.error(span, format!("a constant of type `{ty}` holds a `{part}`, {why}")));
        }
        if bytes.len() as u64 != types.table.size(*ty) {
            let (count, ty) = (bytes.len(), types.name(*ty));
            return Err(self.contradiction(span, format!("{count} bytes for a constant of type `{ty}`")));
        }
        if let Some((scalar, bits)) = types.table.invalid_scalar(*ty, bytes) {
            return Err(
                self.contradiction(span, format!("the bits {bits:#x} in a constant are no `{scalar}`"))
            );
        }
        Ok((*ty, bytes))
    }

    /// `value`, after the statements.
    pub fn after(&self, mut statements: Vec<Statement>, value: Expr) -> Expr {
        if statements.is_empty() {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let value = match value.kind {
            ExprKind::Block(more, value) => {
                statements.extend(more);
                value
            }
            kind => Some(Box::new(Expr { kind, ty, span })),
        };
        Expr { kind: ExprKind::Block(statements, value), ty, span }
    }
}
