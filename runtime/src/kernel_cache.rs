//! From a kernel and a block size to code on a device, made once.

use crate::arguments;
use crate::compile::compile;
use crate::element::first_pointer;
use crate::error::LaunchProblem;
use crate::kernel::{Kernel, KernelFacts};
use crate::once_map::OnceMap;
use crate::{Device, Dim3, Error};
use std::any::TypeId as RustTypeId;
use std::sync::LazyLock;
use wavewright_kernel_ir::code_object::CodeObject;
use wavewright_kernel_ir::entry::KernelEntry;
use wavewright_kernel_ir::target::Target;
use wavewright_kernel_ir::typed::{KernelParam, Program};

/// The block of an element-wise launch that does not ask for another.
const ELEMENTWISE_BLOCK: [u32; 3] = [256, 1, 1];

/// The kernels that are loaded on a device, by instance and by the block that a launch asks for.
pub(crate) struct KernelCache {
    loaded: OnceMap<(RustTypeId, Option<Dim3>), &'static Kernel>,
}

/// A kernel instance, what it is compiled for, and the block.
type Compiled = (RustTypeId, Target, [u32; 3]);

/// What has been compiled, for the devices of one kind to share.
static COMPILED: LazyLock<OnceMap<Compiled, &'static CodeObject>> = LazyLock::new(OnceMap::new);

impl KernelCache {
    pub(crate) fn new() -> Self {
        Self { loaded: OnceMap::new() }
    }

    /// The kernel `entry` for blocks of `block`, on `device`, whose cache this is.
    #[inline]
    pub(crate) fn get(
        &self,
        device: &Device,
        entry: &KernelEntry,
        block: Option<Dim3>,
    ) -> Result<&'static Kernel, Error> {
        let key = (entry.identity, block);
        match self.loaded.get(&key) {
            Some(kernel) => Ok(kernel),
            None => self.loaded.get_or_make(&key, || load(device, entry, block)),
        }
    }
}

#[cold]
fn load(device: &Device, entry: &KernelEntry, block: Option<Dim3>) -> Result<&'static Kernel, Error> {
    let program = (entry.program)()?;
    let refuse = |problem| Error::Launch { kernel: program.kernel.name.clone(), problem };
    check_parameters(&program).map_err(refuse)?;
    let block = choose_block(device, &program, block).map_err(refuse)?;
    let key = (entry.identity, *device.target(), block);
    let code = COMPILED.get_or_make(&key, || {
        let code = compile(&program, device.target(), block)?;
        Ok::<_, Error>(&*Box::leak(Box::new(code)))
    })?;
    check_code(device, code).map_err(refuse)?;
    let loaded = device.backend()?.load(code)?;
    Ok(Box::leak(Box::new(Kernel { facts: KernelFacts::of(code, block), loaded })))
}

/// That every parameter can be handed to a device.
fn check_parameters(program: &Program) -> Result<(), LaunchProblem> {
    let types = &program.types;
    for (number, param) in program.kernel.params.iter().enumerate() {
        let refuse = |reason| Err(LaunchProblem::Parameter { parameter: number + 1, reason });
        let (KernelParam::Value(ty)
        | KernelParam::Slice { element: ty, .. }
        | KernelParam::Element { element: ty, .. }) = *param;
        if let Some(pointer) = first_pointer(types, ty) {
            let (ty, pointer) = (types.name(ty), types.name(pointer));
            return refuse(format!(
                "`{ty}` holds a pointer (`{pointer}`), and an address of the host means nothing on a device"
            ));
        }
        if types.align(ty) > arguments::ALIGN as u64 {
            let (ty, align) = (types.name(ty), types.align(ty));
            return refuse(format!(
                "`{ty}` is aligned to {align} bytes, and {} is the most",
                arguments::ALIGN
            ));
        }
    }
    Ok(())
}

/// The block that the kernel will run with: what the launch asks for, what the attribute says, or 256 threads for a
/// kernel that works on one element a thread.
fn choose_block(device: &Device, program: &Program, asked: Option<Dim3>) -> Result<[u32; 3], LaunchProblem> {
    let fixed = program.kernel.attributes.block.map(Dim3::from);
    let elementwise = program.kernel.is_elementwise();
    let block = match (asked, fixed) {
        (Some(given), Some(wanted)) if given != wanted => {
            return Err(LaunchProblem::OtherBlock { given, wanted });
        }
        (Some(block), _) | (None, Some(block)) => block,
        (None, None) if elementwise => Dim3::from(ELEMENTWISE_BLOCK),
        (None, None) => return Err(LaunchProblem::NoBlock),
    };
    if block.is_empty() {
        return Err(LaunchProblem::EmptyBlock { given: block });
    }
    let limits = device.limits();
    let over = |what, given: String, limit: String| LaunchProblem::Limit {
        what,
        given,
        limit,
        device: device.to_string(),
    };
    let Some(threads) = block.within(limits.block) else {
        return Err(over("a block's size", block.to_string(), Dim3::from(limits.block).to_string()));
    };
    let total = threads.iter().map(|n| u64::from(*n)).product::<u64>();
    if total > limits.block_threads.into() {
        let given = format!("{total} ({block})");
        return Err(over("the number of threads in a block", given, limits.block_threads.to_string()));
    }
    if elementwise && total != threads[0].into() {
        return Err(LaunchProblem::FlatBlock { given: block });
    }
    Ok(threads)
}

/// That the device has what the code needs.
fn check_code(device: &Device, code: &CodeObject) -> Result<(), LaunchProblem> {
    let limits = device.limits();
    let needs = [
        ("the shared memory of a block", code.shared_bytes, limits.shared_bytes),
        ("the size of the arguments", code.abi.size, limits.argument_bytes),
    ];
    match needs.into_iter().find(|(_, given, limit)| given > limit) {
        Some((what, given, limit)) => Err(LaunchProblem::Limit {
            what,
            given: format!("{given} bytes"),
            limit: format!("{limit} bytes"),
            device: device.to_string(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavewright_kernel_ir::typed::{
        Expr, ExprKind, Function, FunctionId, Kernel as TypedKernel, KernelAttributes,
    };
    use wavewright_kernel_ir::types::TypeTable;

    /// A kernel that does nothing, with these parameters and this attribute.
    fn program(params: impl Fn(&mut TypeTable) -> Vec<KernelParam>, block: Option<[u32; 3]>) -> Program {
        let mut types = TypeTable::new();
        let unit = types.unit();
        let body = Expr { kind: ExprKind::Block(Vec::new(), None), ty: unit, span: Default::default() };
        let function = Function {
            name: "nothing".into(),
            file: "k.rs".into(),
            span: Default::default(),
            params: Vec::new(),
            locals: Vec::new(),
            result: unit,
            track_caller: false,
            body,
        };
        let kernel = TypedKernel {
            name: "nothing".into(),
            symbol: "nothing".into(),
            function: FunctionId(0),
            params: params(&mut types),
            attributes: KernelAttributes { block, ..Default::default() },
        };
        Program { types, functions: vec![function], shared: Vec::new(), kernel }
    }

    fn plain(block: Option<[u32; 3]>) -> Program {
        program(|_| Vec::new(), block)
    }

    fn elementwise(block: Option<[u32; 3]>) -> Program {
        program(|types| vec![KernelParam::Element { element: types.of::<f32>(), mutable: true }], block)
    }

    fn chosen(program: &Program, asked: Option<Dim3>) -> Result<[u32; 3], String> {
        choose_block(&Device::cpu(), program, asked).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_block_is_the_one_asked_for_or_the_attributes_or_256_for_elements() {
        assert_eq!(chosen(&plain(None), Some((16, 16).into())), Ok([16, 16, 1]));
        assert_eq!(chosen(&plain(Some([8, 8, 1])), None), Ok([8, 8, 1]));
        assert_eq!(chosen(&plain(Some([8, 8, 1])), Some((8, 8).into())), Ok([8, 8, 1]));
        assert_eq!(chosen(&elementwise(None), None), Ok([256, 1, 1]));
        assert_eq!(chosen(&elementwise(None), Some(64.into())), Ok([64, 1, 1]));
        assert_eq!(chosen(&elementwise(Some([128, 1, 1])), None), Ok([128, 1, 1]));
    }

    #[test]
    fn a_block_that_nobody_names_is_asked_for() {
        let text = chosen(&plain(None), None).unwrap_err();
        assert!(text.contains("Call `.block(…)`"), "{text}");
    }

    #[test]
    fn a_block_other_than_the_attributes_is_refused() {
        let text = chosen(&plain(Some([256, 1, 1])), Some(128.into())).unwrap_err();
        assert_eq!(text, "a block of 128 threads, but the kernel says `#[kernel(block = 256)]`");
    }

    #[test]
    fn a_block_over_a_limit_names_the_limit_and_what_was_given() {
        let cpu = Device::cpu();
        assert_eq!(
            chosen(&plain(None), Some((64, 64).into())).unwrap_err(),
            format!("the number of threads in a block is 4096 (64 x 64), but {cpu} allows at most 1024")
        );
        assert_eq!(
            chosen(&plain(None), Some((1, 1, 65).into())).unwrap_err(),
            format!("a block's size is 1 x 1 x 65, but {cpu} allows at most 1024 x 1024 x 64")
        );
        assert!(
            chosen(&plain(None), Some((-1).into())).unwrap_err().starts_with("a block's size is -1, but")
        );
        assert_eq!(
            chosen(&plain(None), Some((8, 0).into())).unwrap_err(),
            "a block of 8 x 0 threads is none"
        );
    }

    #[test]
    fn a_block_with_rows_is_not_for_elements() {
        let text = chosen(&elementwise(None), Some((16, 16).into())).unwrap_err();
        assert!(text.contains("counts along x alone"), "{text}");
    }

    #[test]
    fn parameters_that_mean_nothing_on_a_device_are_refused() {
        let pointer = program(|types| vec![KernelParam::Value(types.of::<(u8, *mut u32)>())], None);
        let text = check_parameters(&pointer).unwrap_err().to_string();
        assert!(text.starts_with("parameter 1: `(u8, *mut u32)` holds a pointer (`*mut u32`)"), "{text}");
        let plain = |types: &mut TypeTable| {
            let element = types.of::<(f32, u128)>();
            vec![KernelParam::Value(types.of::<[u8; 3]>()), KernelParam::Slice { element, mutable: true }]
        };
        check_parameters(&program(plain, None)).unwrap();
    }
}
