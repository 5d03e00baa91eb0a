//! Which line of the user's Rust each instruction comes from.
//!
//! Line tables only: a function's name and file, the lines and columns of its instructions, and where it was inlined.
//! NVIDIA's assembler compiles without optimisation for anything more.

use super::emit::Emitter;
use inkwell::debug_info::{
    AsDIScope, DICompileUnit, DIFile, DIFlags, DIFlagsConstants, DILocation, DIScope, DISubprogram,
    DWARFEmissionKind, DWARFSourceLanguage, DebugInfoBuilder,
};
use inkwell::module::FlagBehavior;
use std::collections::HashMap;
use wavewright_kernel_ir::span::Span;
use wavewright_kernel_ir::typed::{FunctionId, Program};

/// The version of DWARF that is written.
const DWARF: u32 = 4;

/// The debug information of a kernel under construction.
pub(super) struct DebugLines<'c> {
    builder: DebugInfoBuilder<'c>,
    unit: DICompileUnit<'c>,
    functions: HashMap<FunctionId, DISubprogram<'c>>,
    /// The kernel, then the functions inlined into it that are being lowered.
    scopes: Vec<Scope<'c>>,
}

struct Scope<'c> {
    scope: DIScope<'c>,
    /// The call that was inlined.
    call: Option<DILocation<'c>>,
}

impl<'c> DebugLines<'c> {
    pub(super) fn new(emitter: &Emitter<'c>, program: &Program) -> Self {
        let kernel = program.kernel.function;
        let (directory, file) = split(&program.functions[kernel.0 as usize].file);
        let metadata = inkwell::debug_info::debug_metadata_version();
        for (flag, version) in [("Debug Info Version", metadata), ("Dwarf Version", DWARF)] {
            // A module may hold several functions of a kernel.
            if emitter.module.get_flag(flag).is_none() {
                let version = emitter.i32().const_int(version.into(), false);
                emitter.module.add_basic_value_flag(flag, FlagBehavior::Warning, version);
            }
        }
        let (builder, unit) = emitter.module.create_debug_info_builder(
            true,
            DWARFSourceLanguage::Rust,
            file,
            directory,
            "wavewright",
            true,
            "",
            0,
            "",
            DWARFEmissionKind::LineTablesOnly,
            0,
            true,
            false,
            "",
            "",
        );
        let mut lines = Self { builder, unit, functions: HashMap::new(), scopes: Vec::new() };
        let subprogram = lines.function(program, kernel);
        emitter.function.set_subprogram(subprogram);
        lines.scopes.push(Scope { scope: subprogram.as_debug_info_scope(), call: None });
        lines
    }

    /// The instructions that follow come from `span`.
    pub(super) fn at(&self, emitter: &Emitter<'c>, span: Span) {
        emitter.builder.set_current_debug_location(self.location(emitter, span));
    }

    /// The instructions that follow are `function`'s, called at `call`.
    pub(super) fn enter(
        &mut self,
        emitter: &Emitter<'c>,
        program: &Program,
        function: FunctionId,
        call: Span,
    ) {
        let call = self.location(emitter, call);
        let scope = self.function(program, function).as_debug_info_scope();
        self.scopes.push(Scope { scope, call: Some(call) });
    }

    /// The end of the innermost function.
    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn finish(&self) {
        self.builder.finalize();
    }

    fn location(&self, emitter: &Emitter<'c>, span: Span) -> DILocation<'c> {
        let scope = self.scopes.last().expect("the kernel's own scope stays");
        self.builder.create_debug_location(emitter.context, span.line, span.column, scope.scope, scope.call)
    }

    fn function(&mut self, program: &Program, number: FunctionId) -> DISubprogram<'c> {
        if let Some(known) = self.functions.get(&number) {
            return *known;
        }
        let function = &program.functions[number.0 as usize];
        let (directory, name) = split(&function.file);
        let file: DIFile<'c> = self.builder.create_file(name, directory);
        let ty = self.builder.create_subroutine_type(file, None, &[], DIFlags::PUBLIC);
        let line = function.span.line;
        let subprogram = self.builder.create_function(
            self.unit.as_debug_info_scope(),
            &function.name,
            None,
            file,
            line,
            ty,
            true,
            true,
            line,
            DIFlags::PUBLIC,
            true,
        );
        self.functions.insert(number, subprogram);
        subprogram
    }
}

/// Directory and name of a file.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once(['/', '\\']).unwrap_or((".", path))
}
