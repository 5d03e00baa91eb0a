//! From what the macros captured and what rustc said about it to the typed program.
//!
//! The work is driven by demand: the kernel's body first, then the body of each function that it calls, once per
//! instance. Types go up from the leaves; an expectation (`join::Expected`) goes down to the literals that have no
//! note and to the places where Rust coerces. Nothing is guessed: where tree and records don't settle a type, or
//! contradict each other, the answer is a [`BuildError`] that says where.
//!
//! | file | question |
//! |---|---|
//! | `function` | the variables, labels and result of one body |
//! | `block`, `control`, `pattern` | statements, control flow and patterns, taken apart into the few nodes of [`typed`](crate::typed) |
//! | `expr`, `operator`, `literal`, `cast` | values |
//! | `place` | what stands in memory, and automatic dereferencing |
//! | `call`, `builtin` | which function, and what it takes |
//! | `question` | `?` |
//! | `closure` | what a closure captures, by rustc's rules |
//! | `coerce`, `join` | where a type must fit another |
//! | `table` | types without a record: pointers, tuples |
//! | `symbol` | the kernel's name in the code object |

mod block;
mod builtin;
mod call;
mod cast;
mod closure;
mod coerce;
mod control;
mod expr;
mod function;
mod join;
mod kernel;
mod literal;
mod operator;
mod pattern;
mod place;
mod question;
mod symbol;
mod table;

use crate::captured::{Body, Note, Param, TypeSource};
use crate::entry::BuildError;
use crate::record::{Instance, InstanceId, Instances, Meaning, Record};
use crate::span::Span;
use crate::stack::with_room;
use crate::typed::{Function, FunctionId, KernelAttributes, Program, Shared};
use crate::types::{TypeId, TypeTable};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use table::Types;

/// Builds the typed program of a kernel: instance 0 of `instances`.
///
/// # Errors
///
/// When tree and records don't make a program: see [`BuildError`].
pub fn program(instances: &Instances, attributes: KernelAttributes) -> Result<Program, BuildError> {
    with_room(|| program_here(instances, attributes))
}

fn program_here(instances: &Instances, attributes: KernelAttributes) -> Result<Program, BuildError> {
    let mut typer = ProgramTyper::new(instances);
    let nowhere = Site { file: "", span: Span::default() };
    let kernel_instance =
        typer.instance(InstanceId(0)).ok_or_else(|| nowhere.contradiction("the kernel has no instance"))?;
    let start = Site { file: kernel_instance.file, span: Span::default() };
    typer.declare(InstanceId(0), start)?;
    while let Some(instance) = typer.pending.pop_front() {
        typer.type_function(instance)?;
    }
    kernel::finish(typer, kernel_instance, attributes)
}

/// Where something is asked for, for errors.
#[derive(Clone, Copy)]
pub(super) struct Site {
    file: &'static str,
    span: Span,
}

impl Site {
    fn error(self, message: impl Into<String>) -> BuildError {
        BuildError { file: self.file.into(), span: self.span, message: message.into() }
    }

    /// Tree and records contradict each other, or themselves.
    fn contradiction(self, message: impl std::fmt::Display) -> BuildError {
        self.error(format!("{message}: macro and library are of different versions"))
    }
}

/// How far a function is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Declared,
    Started,
    Done,
}

/// A function that something calls.
struct Declared {
    function: FunctionId,
    body: Rc<Body>,
    /// The parameters' types; none where the first call will say.
    params: Vec<Option<TypeId>>,
    /// The result's type; none where the body will say.
    result: Option<TypeId>,
    progress: Progress,
}

/// A closure that has been typed.
#[derive(Clone)]
struct Closure {
    function: FunctionId,
    params: Vec<TypeId>,
    result: TypeId,
    /// The type of the function's first parameter, the pointer to the captures.
    environment: TypeId,
    /// The body whose variables it points to.
    borrows_of: Option<u32>,
}

/// The program as it grows.
struct ProgramTyper<'i> {
    instances: &'i Instances,
    types: Types,
    functions: Vec<Option<Function>>,
    declared: HashMap<InstanceId, Declared>,
    pending: VecDeque<InstanceId>,
    closures: HashMap<TypeId, Closure>,
    shared: Vec<Shared>,
    /// How many expressions are being typed, each inside the one before it.
    level: u32,
    frames: u32,
}

/// How many expressions may be typed inside each other. One function has [`captured::MAX_NESTING`] at most, but one whose
/// result only its body tells is typed where it is called.
///
/// [`captured::MAX_NESTING`]: crate::captured::MAX_NESTING
const MAX_LEVEL: u32 = 4096;

impl<'i> ProgramTyper<'i> {
    fn new(instances: &'i Instances) -> Self {
        Self {
            instances,
            types: Types::new(instances.types.clone()),
            functions: Vec::new(),
            declared: HashMap::new(),
            pending: VecDeque::new(),
            closures: HashMap::new(),
            shared: Vec::new(),
            level: 0,
            frames: 0,
        }
    }

    fn instance(&self, id: InstanceId) -> Option<&'i Instance> {
        self.instances.all.get(id.0 as usize)
    }

    fn reserve_function(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn add_function(&mut self, function: Function) -> FunctionId {
        self.functions.push(Some(function));
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn next_frame(&mut self) -> u32 {
        self.frames += 1;
        self.frames
    }

    /// Makes the function of an instance known, so that it can be called. Its body is typed later.
    fn declare(&mut self, id: InstanceId, site: Site) -> Result<&mut Declared, BuildError> {
        if !self.declared.contains_key(&id) {
            let declared = self.read_signature(id, site)?;
            self.declared.insert(id, declared);
            self.pending.push_back(id);
        }
        Ok(self.declared.get_mut(&id).expect("it has just been declared"))
    }

    fn read_signature(&mut self, id: InstanceId, site: Site) -> Result<Declared, BuildError> {
        let instance =
            self.instance(id).ok_or_else(|| site.contradiction(format!("no instance {}", id.0)))?;
        let Meaning::Body(bytes) = instance.meaning else {
            return Err(site.contradiction(format!("`{}` has no body", instance.name)));
        };
        let body = Body::from_bytes_here(bytes).map_err(|e| {
            site.contradiction(format!("the body of `{}` can't be read ({e})", instance.name))
        })?;
        let site = Site { file: instance.file, span: body.span };
        if body.notes as usize != instance.records.len() {
            let (name, notes, records) = (&instance.name, body.notes, instance.records.len());
            return Err(site.contradiction(format!("`{name}` has {notes} notes but {records} records")));
        }
        let types = &self.types.table;
        let params = body.params.iter().map(|p| signature_type(types, instance, p.ty, site));
        let params = params.collect::<Result<_, _>>()?;
        let result = signature_type(types, instance, body.result, site)?;
        let function = self.reserve_function();
        Ok(Declared { function, body: Rc::new(body), params, result, progress: Progress::Declared })
    }

    /// The function to call and its result's type, for a call with arguments of these types. Types the body at once
    /// if only it tells the result.
    fn called(
        &mut self,
        id: InstanceId,
        arguments: &[TypeId],
        site: Site,
    ) -> Result<(FunctionId, TypeId), BuildError> {
        let name = self.instance(id).map_or("", |i| &i.name);
        let never = self.types.never;
        let declared = self.declare(id, site)?;
        for (number, (param, argument)) in declared.params.iter_mut().zip(arguments).enumerate() {
            match *param {
                None => *param = Some(*argument),
                Some(known) if known == *argument || *argument == never => {}
                Some(_) => {
                    return Err(site.error(format!(
                        "argument {number} of `{name}` is of another type than in an earlier call: one instance can't \
                         take two"
                    )));
                }
            }
        }
        let function = declared.function;
        if let Some(result) = declared.result {
            return Ok((function, result));
        }
        if declared.progress == Progress::Started {
            return Err(site.error(format!(
                "`{name}` calls itself and returns a closure, so its type never ends: write a loop"
            )));
        }
        self.type_function(id)?;
        let result = self.declared.get(&id).and_then(|d| d.result);
        result
            .map(|result| (function, result))
            .ok_or_else(|| site.error(format!("the result of `{name}` has no type")))
    }

    /// Types the body of a declared function, if that hasn't been done.
    fn type_function(&mut self, id: InstanceId) -> Result<(), BuildError> {
        let (Some(instance), Some(declared)) = (self.instance(id), self.declared.get_mut(&id)) else {
            return Ok(());
        };
        if declared.progress != Progress::Declared {
            return Ok(());
        }
        declared.progress = Progress::Started;
        let (function, body) = (declared.function, declared.body.clone());
        let (params, result) = (declared.params.clone(), declared.result);
        let done =
            function::FunctionTyper::new(self, instance, id, &body).function(&body, &params, result)?;
        if let Some(declared) = self.declared.get_mut(&id) {
            declared.progress = Progress::Done;
            declared.result = Some(result.unwrap_or(done.result));
        }
        self.functions[function.0 as usize] = Some(done);
        Ok(())
    }
}

/// The type that a parameter or result has before any call; none where a call or the body will say.
fn signature_type(
    types: &TypeTable,
    instance: &Instance,
    source: TypeSource,
    site: Site,
) -> Result<Option<TypeId>, BuildError> {
    match source {
        TypeSource::Note(note) => recorded_type(types, instance, note, site).map(Some),
        TypeSource::Value | TypeSource::Reference { .. } => Ok(None),
    }
}

/// The type that rustc recorded for a value: one of the table, and sized.
fn recorded_type(
    types: &TypeTable,
    instance: &Instance,
    note: Note,
    site: Site,
) -> Result<TypeId, BuildError> {
    match instance.records.get(note.0 as usize) {
        Some(Record::Type(ty)) if !types.contains(*ty) => {
            Err(site.contradiction(format!("no type has the number {}", ty.0)))
        }
        Some(Record::Type(ty)) if types.is_unsized(*ty) => {
            let ty = types.name(*ty);
            Err(site.error(format!("a value can't be of type `{ty}`, which has no size: borrow it with `&`")))
        }
        Some(Record::Type(ty)) => Ok(*ty),
        other => Err(unexpected_record(site, "a type", other)),
    }
}

fn unexpected_record(site: Site, wanted: &str, found: Option<&Record>) -> BuildError {
    let found = match found {
        Some(Record::Type(_)) => "a type",
        Some(Record::Callee(_)) => "a function",
        Some(Record::Constant(..)) => "a constant",
        None => "nothing",
    };
    site.contradiction(format!("{wanted} was to be recorded here, but {found} was"))
}

/// The parameters that a closure states, all of which have a record.
fn closure_param_type(
    types: &TypeTable,
    instance: &Instance,
    param: &Param,
    site: Site,
) -> Result<TypeId, BuildError> {
    match signature_type(types, instance, param.ty, site)? {
        Some(ty) => Ok(ty),
        None => Err(site
            .error("a closure's parameter can't be a closure: write a `#[device]` function with `impl Fn`")),
    }
}
