//! What PTX says of a kernel.

/// What a kernel needs on an NVIDIA GPU, as far as PTX says it. Its registers are those of the language, without limit;
/// how many of the hardware's they become is settled by the driver, which tells
/// (`CU_FUNC_ATTRIBUTE_NUM_REGS`) once the kernel is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtxResources {
    /// Registers of the language of 16, 32, 64 and 128 bits, each with how many there are; and predicates, of 1 bit.
    pub registers: Vec<(u32, u32)>,
    /// The shared memory that it declares, in bytes.
    pub shared_bytes: u64,
    /// The private memory of a thread, in bytes: variables that are not in registers.
    pub local_bytes: u64,
    /// The most threads that a block may have (`.maxntid`), along each dimension.
    pub block_most: Option<[u32; 3]>,
    /// The exact size of a block (`.reqntid`).
    pub block_exact: Option<[u32; 3]>,
}

/// What the kernel of this name needs.
pub(super) fn resources(text: &[u8], name: &str) -> Result<PtxResources, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is not text")?;
    let entry = format!(".entry {name}(");
    let start = text.find(&entry).ok_or_else(|| format!("it has no kernel `{name}`"))?;
    let mut resources = PtxResources::default();
    for statement in text[..start].lines() {
        resources.shared_bytes += memory(statement, ".shared");
    }
    let kernel = &text[start..];
    let body = kernel.find('{').ok_or_else(|| format!("kernel `{name}` has no body"))?;
    for line in kernel[..body].lines() {
        resources.block_most = resources.block_most.or_else(|| size(line, ".maxntid"));
        resources.block_exact = resources.block_exact.or_else(|| size(line, ".reqntid"));
    }
    let end = kernel.find("\n}").unwrap_or(kernel.len());
    for statement in kernel[body..end].lines() {
        resources.shared_bytes += memory(statement, ".shared");
        resources.local_bytes += memory(statement, ".local");
        resources.registers.extend(registers(statement));
    }
    resources.registers.sort_unstable();
    Ok(resources)
}

/// The bytes that a declaration like `.shared .align 16 .b8 tile[1024];` takes; none of any other line.
fn memory(line: &str, space: &str) -> u64 {
    let mut words = line.split_whitespace().skip_while(|word| *word != space);
    if words.next().is_none() || line.contains('%') {
        return 0;
    }
    let element = line.split_whitespace().find_map(width).unwrap_or(8) / 8;
    let count = line.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    count.and_then(|(count, _)| count.parse::<u64>().ok()).unwrap_or(1) * u64::from(element)
}

/// The width and number of what `.reg .b32 %r<12>;` declares. Numbers start at 1: `%r<12>` are 11 registers.
fn registers(line: &str) -> Option<(u32, u32)> {
    let mut words = line.split_whitespace();
    if words.next()? != ".reg" {
        return None;
    }
    let width = width(words.next()?)?;
    let (_, count) = words.next()?.split_once('<')?;
    let count: u32 = count.split_once('>')?.0.parse().ok()?;
    Some((width, count.saturating_sub(1)))
}

/// The bits of `.b32`, `.f64`, `.pred` and their like.
fn width(kind: &str) -> Option<u32> {
    match kind.strip_prefix('.')? {
        "pred" => Some(1),
        kind if kind.starts_with(['b', 'u', 's', 'f']) => kind[1..].parse().ok(),
        _ => None,
    }
}

/// `.maxntid 16, 16, 1`: dimensions that are not there are 1.
fn size(line: &str, directive: &str) -> Option<[u32; 3]> {
    let (_, numbers) = line.split_once(directive)?;
    let mut size = [1; 3];
    for (dimension, number) in size.iter_mut().zip(numbers.split(',')) {
        *dimension = number.trim().parse().ok()?;
    }
    Some(size)
}
