//! Arguments of every shape, and what LLVM may believe of buffers.

use super::build::Build;
use super::compile::{Stage, instructions, text, text_with};
use super::{TARGETS, assert_no_detours};
use crate::Options;
use wavewright_kernel_ir::abi::Abi;
use wavewright_kernel_ir::builtin::Builtin;
use wavewright_kernel_ir::scalar::Scalar;
use wavewright_kernel_ir::typed::*;
use wavewright_kernel_ir::types::*;

/// `struct Mixed { flag: bool, table: [f32; 5], scale: f64, wide: i128, buffer: *const f32 }`, with rustc's layout.
fn mixed(b: &mut Build) -> TypeId {
    let [bool, f32, f64, i128] =
        [Scalar::Bool, Scalar::F32, Scalar::F64, Scalar::I128].map(|s| b.scalar_type(s));
    let table = b.types.intern(Type::Array { element: f32, length: 5 });
    let pointer = b.types.intern(Type::Pointer { pointee: f32, mutability: Mutability::Shared, raw: true });
    let field = |name: &str, ty, offset| Field { name: name.into(), ty, offset };
    b.types.intern(Type::Aggregate(Aggregate {
        kind: AggregateKind::Struct,
        name: "Mixed".into(),
        fields: vec![
            field("flag", bool, 52),
            field("table", table, 32),
            field("scale", f64, 16),
            field("wide", i128, 0),
            field("buffer", pointer, 24),
        ],
        size: 64,
        align: 16,
    }))
}

/// `if p.flag { *out = p.table[i] + p.scale as f32 + p.wide as f32 + *p.buffer }` with `i` known at run time only.
fn by_value() -> Program {
    let mut b = Build::new();
    let ty = mixed(&mut b);
    let [f32, u8] = [Scalar::F32, Scalar::U8].map(|s| b.scalar_type(s));
    let small = b.value("small", u8);
    let p = b.value("p", ty);
    let out = b.element("out", f32, Mutability::Mutable);
    let part = |b: &mut Build, number| {
        let place = b.place_of(p);
        b.field(place, number)
    };
    let (table, index) = (part(&mut b, 1), b.get(small));
    let index = b.cast(CastKind::IntToInt, index, Scalar::Usize);
    let element = b.index(table, index, true);
    let element = b.load(element);
    let scale = part(&mut b, 2);
    let scale = b.load(scale);
    let scale = b.cast(CastKind::FloatToFloat, scale, Scalar::F32);
    let wide = part(&mut b, 3);
    let wide = b.load(wide);
    let wide = b.cast(CastKind::IntToFloat, wide, Scalar::F32);
    let pointer = part(&mut b, 4);
    let pointer = b.load(pointer);
    let target = b.deref_expr(pointer);
    let pointed = b.load(target);
    let sum = b.binary(BinaryOp::Add, element, scale);
    let sum = b.binary(BinaryOp::Add, sum, wide);
    let sum = b.binary(BinaryOp::Add, sum, pointed);
    let flag = part(&mut b, 0);
    let (flag, place) = (b.load(flag), b.deref(out));
    let store = b.assign(place, sum);
    let when = b.when(flag, vec![store]);
    b.kernel("by_value", vec![when])
}

#[test]
fn structs_come_by_value_and_their_pointers_are_to_buffers() {
    for target in TARGETS {
        let assembly = text(&by_value(), target, Some([64, 1, 1]), Stage::Assembly);
        assert_no_detours("by_value", target, &assembly);
    }
    let ir = text(&by_value(), "gfx942", Some([64, 1, 1]), Stage::Raw);
    assert!(ir.contains("ptr addrspace(4) noundef byref([64 x i8]) align 16 %p"), "{ir}");
    let ir = text(&by_value(), "sm_90", Some([64, 1, 1]), Stage::Raw);
    assert!(ir.contains("ptr noundef byval([64 x i8]) align 16 %p"), "{ir}");
}

/// LLVM, left alone, aligns an `i128` argument of an AMD kernel to 8 bytes.
#[test]
fn arguments_lie_where_the_launch_puts_them() {
    let mut b = Build::new();
    for scalar in
        [Scalar::U8, Scalar::I128, Scalar::U16, Scalar::F64, Scalar::Bool, Scalar::U128, Scalar::F32]
    {
        let ty = b.scalar_type(scalar);
        b.value(scalar.name(), ty);
    }
    let mixed = mixed(&mut b);
    b.value("mixed", mixed);
    let f32 = b.scalar_type(Scalar::F32);
    b.element("out", f32, Mutability::Mutable);
    let program = b.kernel("arguments", Vec::new());
    let abi = Abi::of(&program.kernel, &program.types);
    for target in ["gfx90a", "gfx942", "gfx1100", "gfx1201"] {
        let assembly = text(&program, target, Some([64, 1, 1]), Stage::Assembly);
        let (_, metadata) = assembly.split_once(".args:").unwrap();
        let offsets =
            metadata.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(".offset:"));
        let found: Vec<u64> = offsets.map(|offset| offset.trim().parse().unwrap()).collect();
        let wanted: Vec<u64> = abi.arguments.iter().map(|argument| argument.offset).collect();
        assert_eq!(found[..wanted.len()], wanted, "{target}");
    }
}

#[test]
fn values_without_bytes_take_no_argument() {
    let mut b = Build::new();
    let unit = b.types.unit();
    let u16 = b.scalar_type(Scalar::U16);
    let none = b.types.intern(Type::Array { element: u16, length: 0 });
    b.value("nothing", unit);
    b.value("none", none);
    b.value("small", u16);
    let program = b.kernel("quiet", vec![]);
    for target in ["gfx942", "sm_90"] {
        let ir = text(&program, target, None, Stage::Raw);
        let fault = "ptr addrspace(1) noalias noundef align 8 %fault";
        assert!(ir.contains(&format!("void @quiet(i16 noundef %small, {fault})")), "{ir}");
    }
}

/// `out[i] = 1; sync_threads(); out[j] = out[j] + 1` with `j` of another thread.
fn across_a_barrier() -> Program {
    let mut b = Build::new();
    let [u32, usize] = [Scalar::U32, Scalar::Usize].map(|s| b.scalar_type(s));
    let out = b.slice("out", u32, Mutability::Mutable);
    let (i, j) = (b.local("i", usize), b.local("j", usize));
    let global = b.global_x();
    let (index, one) = (b.get(i), b.usize(1));
    let other = b.binary(BinaryOp::BitXor, index, one);
    let (first, last) = (b.at_unchecked(out, i), b.at_unchecked(out, i));
    let (one, place) = (b.constant(1, Scalar::U32), b.at_unchecked(out, j));
    let before = b.assign(first, one);
    let read = b.load(place);
    let after = b.assign(last, read);
    let barrier = b.barrier();
    let lets = [Statement::Let(i, Some(global)), Statement::Let(j, Some(other))];
    b.kernel("across", lets.into_iter().chain([before, barrier, after]).collect())
}

#[test]
fn no_access_moves_over_a_barrier() {
    for target in TARGETS {
        // More threads than a wave has: LLVM drops the barrier of a block that is one wave.
        let assembly = text(&across_a_barrier(), target, Some([256, 1, 1]), Stage::Assembly);
        let all = instructions(&assembly);
        let position = |part: &[&str], from: usize| {
            let found = all[from..].iter().position(|i| part.iter().any(|p| i.contains(p)));
            from + found.unwrap_or_else(|| panic!("{target}: no {part:?} behind {from}\n{assembly}"))
        };
        let store = position(&["global_store", "st.global"], 0);
        let barrier = position(&["s_barrier", "bar.sync", "barrier.sync"], store);
        let load = position(&["global_load", "ld.global"], barrier);
        position(&["global_store", "st.global"], load);
        let loads = all.iter().filter(|i| i.contains("global_load") || i.contains("ld.global")).count();
        assert_eq!(loads, 1, "{target}\n{assembly}");
    }
}

/// On NVIDIA no fence goes with a barrier, so what is written must not be `noalias`.
#[test]
fn written_buffers_are_noalias_only_where_barriers_are_fenced() {
    let amd = text(&across_a_barrier(), "gfx942", None, Stage::Raw);
    assert!(amd.contains("ptr addrspace(1) noalias noundef align 4 %out"), "{amd}");
    let nvidia = text(&across_a_barrier(), "sm_90", None, Stage::Raw);
    assert!(nvidia.contains("ptr addrspace(1) noundef align 4 %out"), "{nvidia}");
}

/// Reads of a `&[T]` are of memory that does not change, which NVIDIA has an instruction for.
#[test]
fn what_is_only_read_is_read_through_the_read_only_cache() {
    let assembly = text(&super::matmul::naive(), "sm_90", Some([16, 16, 1]), Stage::Assembly);
    let loads: Vec<_> = instructions(&assembly).into_iter().filter(|i| i.starts_with("ld.global")).collect();
    assert!(!loads.is_empty() && loads.iter().all(|i| i.starts_with("ld.global.nc")), "{loads:?}");
}

/// `fn twice(x: f32) -> f32 { x + x }`, called by a kernel.
#[test]
fn inlined_code_names_its_own_file_and_its_call() {
    let mut b = Build::new();
    let f32 = b.scalar_type(Scalar::F32);
    let x = b.local("x", f32);
    let (left, right) = (b.get(x), b.get(x));
    let body = b.binary(BinaryOp::Add, left, right);
    let line = body.span.line;
    let twice = b.function("device::twice", 0, 1, body);
    let out = b.element("out", f32, Mutability::Mutable);
    let (from, to) = (b.deref(out), b.deref(out));
    let argument = b.load(from);
    let call = b.call(twice, vec![argument]);
    let call_line = call.span.line;
    let store = b.assign(to, call);
    let program = b.kernel("calls", vec![store]);
    let options = Options { debug_info: true, ..Options::default() };
    for target in ["gfx942", "sm_90"] {
        let ir = text_with(&program, target, &options, Stage::Optimised);
        let addition = ir.lines().find(|l| l.contains("fadd")).expect("the sum is there");
        let location = addition.rsplit("!dbg ").next().expect("it has a place").trim();
        let location =
            ir.lines().find(|l| l.starts_with(&format!("{location} ="))).expect("the place is there");
        assert!(
            location.contains(&format!("line: {line},")) && location.contains("inlinedAt:"),
            "{location}"
        );
        assert!(ir.contains("name: \"device::twice\"") && ir.contains("filename: \"device.rs\""), "{ir}");
        assert!(ir.contains(&format!("DILocation(line: {call_line},")), "{ir}");
    }
}

#[test]
fn the_number_of_blocks_is_what_the_launch_says() {
    let mut b = Build::new();
    let u32 = b.scalar_type(Scalar::U32);
    let out = b.element("out", u32, Mutability::Mutable);
    let mut statements = Vec::new();
    for size in [Builtin::GridSizeX, Builtin::GridSizeY, Builtin::GridSizeZ] {
        let (place, size) = (b.deref(out), b.builtin(size, vec![], u32));
        statements.push(b.assign_binary(BinaryOp::Add, place, size));
    }
    let program = b.kernel("sizes", statements);
    let ir = text(&program, "gfx942", None, Stage::Optimised);
    assert!(ir.contains("implicitarg.ptr") && ir.contains("i64 4") && ir.contains("i64 8"), "{ir}");
    let ptx = text(&program, "sm_90", None, Stage::Assembly);
    for register in ["%nctaid.x", "%nctaid.y", "%nctaid.z"] {
        assert!(ptx.contains(register), "{ptx}");
    }
}
