//! Walks from an entry over everything that it calls and gathers what rustc said.

use super::constant;
use super::note::Collect;
use super::operation::TypeList;
use super::signature::Signature;
use crate::builtin::Builtin;
use crate::record::{Instance, InstanceId, Instances, Meaning, Record};
use crate::types::{DeviceType, rust_type_id};
use std::any::TypeId as RustTypeId;
use std::collections::HashMap;

/// One instance of a device function: a marker type over the function's own generic parameters, closures among them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no instance of a device function",
    label = "this call has no device form",
    note = "put `#[device]` on the function"
)]
pub trait DeviceFn {
    /// Says what the instance is, by calls on `sink`: [`Sink::function`] or its like, [`Sink::track_caller`] if it is, the names of the generic arguments,
    /// [`Sink::witness`] and [`Sink::notes`]; or [`Sink::operation`].
    fn describe(sink: &mut Sink);
}

/// What a type says about the instances `M` of one of its methods. A method's body speaks of `Self`, so its witness stands
/// in an `impl` of that type.
pub trait Describe<M> {
    /// As [`DeviceFn::describe`].
    fn describe(sink: &mut Sink);
}

/// Takes down what rustc said about the instances that an entry reaches.
#[derive(Default)]
pub struct Sink {
    instances: Instances,
    numbers: HashMap<RustTypeId, InstanceId>,
    described_by: Vec<fn(&mut Sink)>,
}

/// Everything that the kernel `M` reaches; it is number 0.
pub fn instances<M: DeviceFn>() -> Instances {
    let mut sink = Sink::default();
    sink.number::<M>();
    let mut next = 0;
    while let Some(describe) = sink.described_by.get(next).copied() {
        describe(&mut sink);
        next += 1;
        assert_eq!(sink.instances.all.len(), next, "each instance is described once");
    }
    sink.instances
}

impl Sink {
    /// The instance being described is the method `name` of `T`.
    pub fn method<T: DeviceType + ?Sized>(&mut self, name: &str, file: &'static str, body: &'static [u8]) {
        let ty = self.type_name::<T>();
        self.function(&format!("{ty}::{name}"), file, body);
    }

    /// The instance being described is the method `name` of `T`, as an implementation of a trait.
    pub fn trait_method<T: DeviceType + ?Sized>(
        &mut self,
        trait_name: &str,
        name: &str,
        file: &'static str,
        body: &'static [u8],
    ) {
        let ty = self.type_name::<T>();
        self.function(&format!("<{ty} as {trait_name}>::{name}"), file, body);
    }

    /// The instance being described is the function `name`, with this captured body.
    pub fn function(&mut self, name: &str, file: &'static str, body: &'static [u8]) {
        self.instances.all.push(Instance {
            name: name.into(),
            meaning: Meaning::Body(body),
            types: Vec::new(),
            records: Vec::new(),
            file,
            track_caller: false,
        });
    }

    /// The instance being described is `builtin` on the types `A`.
    pub fn operation<A: TypeList>(&mut self, builtin: Builtin) {
        let types = A::list(&mut self.instances.types);
        let operation = Instance::operation(builtin, types, &self.instances.types);
        self.instances.all.push(operation);
    }

    /// The function, or the trait's method that it implements, is `#[track_caller]`.
    pub fn track_caller(&mut self) {
        self.current().track_caller = true;
    }

    /// A generic argument of the function, for its name.
    pub fn type_argument<T: DeviceType + ?Sized>(&mut self) {
        let name = self.type_name::<T>();
        self.argument(&name);
    }

    /// A const generic argument of the function, for its name.
    pub fn const_argument(&mut self, value: impl std::fmt::Debug) {
        self.argument(&format!("{value:?}"));
    }

    /// A closure among the generic arguments of the function, for its name.
    pub fn closure_argument(&mut self) {
        self.argument("{closure}");
    }

    /// The types of the parameters and of the result, read from the closure that holds the witness's body.
    pub fn witness<K, A, F: Signature<K, A>>(&mut self, _: F) {
        F::record(self);
    }

    /// The notes of the body.
    pub fn notes<N: Collect>(&mut self, _: N) {
        N::collect(self);
    }

    pub(super) fn ty<T: DeviceType + ?Sized>(&mut self) {
        let ty = self.instances.types.of::<T>();
        self.record(Record::Type(ty));
    }

    pub(super) fn callee<M: DeviceFn>(&mut self) {
        let number = self.number::<M>();
        self.record(Record::Callee(number));
    }

    pub(super) fn constant<T: DeviceType>(&mut self, value: &T) {
        let (ty, bytes) = constant::bytes(&mut self.instances.types, value);
        self.record(Record::Constant(ty, bytes));
    }

    /// The number of an instance; one not met before is put in line to be described.
    fn number<M: DeviceFn>(&mut self) -> InstanceId {
        let identity = rust_type_id::<M>();
        let next = InstanceId(self.described_by.len() as u32);
        let number = *self.numbers.entry(identity).or_insert(next);
        if number == next {
            self.described_by.push(M::describe);
            self.instances.identities.push(identity);
        }
        number
    }

    fn type_name<T: DeviceType + ?Sized>(&mut self) -> String {
        let ty = self.instances.types.of::<T>();
        self.instances.types.name(ty)
    }

    fn current(&mut self) -> &mut Instance {
        self.instances.all.last_mut().expect("`describe` starts with `function` or `operation`")
    }

    fn record(&mut self, record: Record) {
        self.current().records.push(record);
    }

    fn argument(&mut self, argument: &str) {
        let name = &mut self.current().name;
        match name.strip_suffix('>') {
            // `function` is given a path, so a `>` at its end closes the list of arguments.
            Some(open) => *name = format!("{open}, {argument}>"),
            None => *name = format!("{name}::<{argument}>"),
        }
    }
}
