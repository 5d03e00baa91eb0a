//! A picture of the Mandelbrot set's seahorse valley: the device follows each point until it escapes, the host turns
//! what comes back into colours and writes a PNG.
//!
//!     cargo run --release --example mandelbrot -- --device cpu --output mandelbrot.png

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wavewright::prelude::*;

/// A rectangle of the complex plane, as a grid of points.
#[derive(Clone, Copy, DeviceType)]
struct View {
    /// The point at the top left.
    left: f32,
    top: f32,
    /// The distance between neighbours.
    step: f32,
    /// Points in a row.
    width: u32,
    /// When to give up on a point.
    most_steps: u32,
}

/// What became of a point.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct Escape {
    /// How many steps it stayed; as many as the view allows if it never left.
    steps: u32,
    /// The square of its distance from 0 then.
    distance: f32,
}

/// Points farther out than the square root of this don't come back. So large, since the colours are smoother then.
const FAR: f32 = 1e6;

/// Follows `z = z * z + c` for the `index`-th point of the view.
#[device]
fn follow(view: View, index: usize) -> Escape {
    let width = view.width as usize;
    let c_re = view.left + (index % width) as f32 * view.step;
    let c_im = view.top - (index / width) as f32 * view.step;
    let (mut re, mut im) = (0.0, 0.0);
    let mut escape = Escape { steps: 0, distance: 0.0 };
    while escape.steps < view.most_steps && escape.distance < FAR {
        let next = re * re - im * im + c_re;
        im = 2.0 * re * im + c_im;
        re = next;
        escape.distance = re * re + im * im;
        escape.steps += 1;
    }
    escape
}

#[kernel]
fn mandelbrot(view: View, escape: &mut Escape) {
    *escape = follow(view, thread::global_x());
}

struct Options {
    device: Device,
    width: usize,
    height: usize,
    most_steps: u32,
    output: PathBuf,
}

impl Options {
    fn parse() -> Result<Self> {
        use lexopt::prelude::*;
        let mut device = None;
        let (mut width, mut height, mut most_steps) = (1280, 720, 2000);
        let mut output = PathBuf::from("mandelbrot.png");
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("device") => device = Some(arguments.value()?.string()?),
                Long("width") => width = arguments.value()?.parse()?,
                Long("height") => height = arguments.value()?.parse()?,
                Long("steps") => most_steps = arguments.value()?.parse()?,
                Long("output") => output = arguments.value()?.into(),
                Long("help") => {
                    println!(
                        "mandelbrot [--device NAME] [--width W] [--height H] [--steps MOST] [--output PNG]"
                    );
                    std::process::exit(0);
                }
                other => return Err(other.unexpected().into()),
            }
        }
        if width == 0 || height == 0 {
            bail!("a picture of {width} x {height} has no pixels");
        }
        let device = device.map_or_else(Device::best, |name| Device::by_name(&name))?;
        Ok(Self { device, width, height, most_steps, output })
    }
}

/// Points along each side of a pixel, whose colours are averaged.
const SAMPLES: usize = 2;

fn main() -> Result<()> {
    let Options { device, width, height, most_steps, output } = Options::parse()?;
    let (columns, rows) = (width * SAMPLES, height * SAMPLES);
    println!("Mandelbrot set, {width} x {height} pixels with {} points each, on {device}", SAMPLES * SAMPLES);
    let view = look_at(-0.74330, 0.13165, 0.0085, columns, rows, most_steps)?;
    let mut escapes = device.zeroed::<Escape>(columns * rows)?;
    mandelbrot(view, &mut escapes).launch(&device)?;
    device.synchronize()?;

    let start = Instant::now();
    mandelbrot(view, &mut escapes).launch(&device)?;
    device.synchronize()?;
    let seconds = start.elapsed().as_secs_f64();

    let escapes = escapes.to_vec()?;
    check(view, &escapes)?;
    write_png(&output, width, height, &paint(&escapes, width, height, most_steps))?;
    println!("  written to {}", output.display());
    let steps: u64 = escapes.par_iter().map(|escape| u64::from(escape.steps)).sum();
    println!(
        "mandelbrot: {:.2} billion steps/s on {device} ({:.1} ms)",
        steps as f64 / seconds / 1e9,
        seconds * 1e3
    );
    Ok(())
}

/// The view of `columns` by `rows` points with this middle that is `across` wide.
fn look_at(re: f32, im: f32, across: f32, columns: usize, rows: usize, most_steps: u32) -> Result<View> {
    let step = across / columns as f32;
    let (left, top) = (re - across / 2.0, im + step * rows as f32 / 2.0);
    let width = columns.try_into().context("the picture is too wide")?;
    Ok(View { left, top, step, width, most_steps })
}

/// That the device made of the points what the same function makes of them here, bit for bit. A part of the rows is
/// enough: one core does in a minute what a GPU does in a millisecond.
fn check(view: View, escapes: &[Escape]) -> Result<()> {
    const EVERY: usize = 61;
    let width = view.width as usize;
    let rows = (0..escapes.len() / width).into_par_iter().step_by(EVERY);
    let wrong = rows.clone().find_map_any(|row| {
        (row * width..(row + 1) * width).find(|i| {
            let (here, there) = (follow(view, *i), escapes[*i]);
            here.steps != there.steps || here.distance.to_bits() != there.distance.to_bits()
        })
    });
    if let Some(i) = wrong {
        bail!("point {i} is {:?}, but plain Rust makes it {:?}", escapes[i], follow(view, i));
    }
    println!("  every {EVERY}th row as in plain Rust");
    Ok(())
}

/// The pixels, red, green and blue, each the mean of its points.
fn paint(escapes: &[Escape], width: usize, height: usize, most_steps: u32) -> Vec<u8> {
    let columns = width * SAMPLES;
    let pixel = |i: usize| {
        let (x, y) = (i % width * SAMPLES, i / width * SAMPLES);
        let points = (0..SAMPLES * SAMPLES).map(|s| escapes[(y + s / SAMPLES) * columns + x + s % SAMPLES]);
        let sum = points
            .map(|point| colour(point, most_steps))
            .fold([0.0; 3], |sum, colour| std::array::from_fn(|channel| sum[channel] + colour[channel]));
        sum.map(|channel: f32| (channel / (SAMPLES * SAMPLES) as f32).sqrt().mul_add(255.0, 0.5) as u8)
    };
    (0..width * height).into_par_iter().flat_map_iter(pixel).collect()
}

/// The light of a point: how much red, green and blue, from 0 to 1.
fn colour(escape: Escape, most_steps: u32) -> [f32; 3] {
    if escape.steps == most_steps {
        return [0.0; 3];
    }
    // Where between this step and the one before it would have crossed the border.
    let time = escape.steps as f32 - (escape.distance.ln() / FAR.ln()).log2();
    let turn = 0.55 + 0.19 * time.max(1.0).ln().powf(1.6);
    [0.00, 0.11, 0.24].map(|phase| {
        let wave = 0.5 - 0.5 * (std::f32::consts::TAU * (turn + phase)).cos();
        wave * wave
    })
}

fn write_png(path: &Path, width: usize, height: usize, pixels: &[u8]) -> Result<()> {
    let file = std::fs::File::create(path).with_context(|| format!("can't write {}", path.display()))?;
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(())
}
