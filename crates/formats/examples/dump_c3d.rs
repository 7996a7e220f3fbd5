//! Prints what we read of C3D files, one JSON object a line, for `tests/oracles/c3d_read.py` to lay beside ezc3d's
//! reading.
//!
//! Markers are in the file's own axes and unit; forces in its axes, so that nothing but the reading is compared.

use aplomb_formats::ReadOptions;
use aplomb_formats::c3d::{self, Baseline};
use aplomb_motion::SignedPermutation;
use glam::DVec3;

fn main() {
    for path in std::env::args().skip(1) {
        let report = std::fs::read(&path).map_err(|error| error.to_string()).and_then(|bytes| report(&bytes));
        let line = match report {
            Ok(report) => report,
            Err(error) => serde_json::json!({ "error": error }),
        };
        println!("{}", serde_json::json!({ "file": path, "read": line }));
    }
}

fn report(bytes: &[u8]) -> Result<serde_json::Value, String> {
    let file = c3d::parse(bytes, &ReadOptions::default(), &mut Vec::new()).map_err(|error| error.to_string())?;
    let forces = file.forces(Baseline::Kept, &mut Vec::new()).map_err(|error| error.to_string())?;
    let file_axes = SignedPermutation::lifting(file.up).inverse();
    let unit_m = file.metres_per_unit;
    let in_file = |place_m: DVec3| file_axes.vector(place_m / unit_m).to_array();
    let markers = &file.markers;
    let frames: Vec<usize> = (0..8).map(|n| n * (markers.frames() - 1) / 7).collect();
    let count = markers.names.len();
    let points = frames.iter().map(|frame| {
        let row = &markers.positions_m[frame * count..(frame + 1) * count];
        row.iter().map(|place_m| place_m.map(in_file)).collect::<Vec<_>>()
    });
    let samples = frames.iter().map(|frame| frame * file.samples_a_frame);
    let analog: Vec<Vec<f64>> = (0..file.analog_channels).map(|channel| file.analog(channel)).collect();
    let plates = forces.plates.iter().map(|plate| {
        let largest = plate.force_n.iter().map(|force| force.y).fold(0.0, f64::max);
        let busiest = plate.force_n.iter().position(|force| force.y == largest).unwrap_or(0);
        let at = |sample: usize| {
            serde_json::json!({
                "sample": sample,
                "force": file_axes.vector(plate.force_n[sample]).to_array(),
                "point": plate.point_m[sample].map(in_file),
                "torque": (file_axes.vector(plate.torque_n_m[sample]) / unit_m).to_array(),
            })
        };
        samples.clone().chain([busiest]).map(at).collect::<Vec<_>>()
    });
    Ok(serde_json::json!({
        "names": markers.names,
        "rate": markers.rate_hz,
        "frame_count": markers.frames(),
        "frames": frames,
        "points": points.collect::<Vec<_>>(),
        "analog_channels": file.analog_channels,
        "analog": samples.clone().map(|sample| analog.iter().map(|channel| channel[sample]).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "plates": plates.collect::<Vec<_>>(),
        "up": file.up.letter().to_string(),
    }))
}
