//! Which row of its file each frame of a clip is: a cut or a resampled clip has many of the file's own frames.

use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// For each of `frames` frames the row with the same key, `None` where the file has none.
///
/// Of several rows with the same key the one that goes on from the frame before is taken, then the next one after it. A
/// last pass backwards settles held poses at the start, where nothing was known before.
pub(crate) fn match_rows(
    frames: usize,
    rows: usize,
    mut key_of_frame: impl FnMut(usize) -> u64,
    mut key_of_row: impl FnMut(usize) -> u64,
) -> Vec<Option<usize>> {
    let mut rows_of_key: HashMap<u64, Vec<usize>> = HashMap::with_capacity(rows);
    for row in 0..rows {
        rows_of_key.entry(key_of_row(row)).or_default().push(row);
    }
    let keys: Vec<u64> = (0..frames).map(&mut key_of_frame).collect();
    let has = |key: u64, row: usize| rows_of_key.get(&key).is_some_and(|rows| rows.binary_search(&row).is_ok());
    let mut found: Vec<Option<usize>> = Vec::with_capacity(frames);
    let (mut last, mut stride) = (None, 1);
    for &key in &keys {
        let row = rows_of_key.get(&key).and_then(|rows| match last {
            Some(last) if has(key, last + stride) => Some(last + stride),
            Some(last) => rows.get(rows.partition_point(|&row| row <= last)).or(rows.first()).copied(),
            None => rows.first().copied(),
        });
        if let (Some(row), Some(last)) = (row, last) {
            stride = if row > last { row - last } else { 1 };
        }
        last = row.or(last);
        found.push(row);
    }
    for frame in (2..frames).rev() {
        // Only where rows follow one another: among held poses a stride fits as well as the next row.
        if let (Some(now), Some(next)) = (found[frame - 1], found[frame])
            && now + 1 == next
            && let Some(before) = now.checked_sub(1)
            && has(keys[frame - 2], before)
        {
            found[frame - 2] = Some(before);
        }
    }
    found
}

/// A key of rotations and positions; q and −q, 0 and −0 count as the same.
pub(crate) fn pose_key(rotations: impl Iterator<Item = DQuat>, positions: impl Iterator<Item = DVec3>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for rotation in rotations {
        let q = rotation.to_array();
        // The largest component decides the sign: of all of them it is the one that cannot be a zero.
        let largest = q.iter().fold(0.0f64, |largest, &c| if c.abs() > largest.abs() { c } else { largest });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        q.map(|component| (sign * component + 0.0).to_bits()).hash(&mut hasher);
    }
    for position in positions {
        position.to_array().map(|component| (component + 0.0).to_bits()).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(frames: &[u64], rows: &[u64]) -> Vec<Option<usize>> {
        match_rows(frames.len(), rows.len(), |frame| frames[frame], |row| rows[row])
    }

    #[test]
    fn cuts_strides_and_made_up_frames() {
        let rows = [7, 1, 2, 2, 2, 3, 4, 5, 4, 6];
        let row = Some;
        assert_eq!(matched(&[2, 3, 4, 5, 4], &rows), [row(4), row(5), row(6), row(7), row(8)]);
        assert_eq!(matched(&[7, 2, 2, 4, 4], &rows), [row(0), row(2), row(4), row(6), row(8)]);
        assert_eq!(matched(&[1, 100, 3, 101], &rows), [row(1), None, row(5), None]);
        assert_eq!(matched(&[6, 7], &rows), [row(9), row(0)]);
        assert_eq!(matched(&[], &rows), []);
    }

    #[test]
    fn signs_of_quaternions_and_zeros_do_not_count() {
        let q = DQuat::from_xyzw(0.0, -0.6, 0.0, 0.8);
        let key = |q: DQuat, p: DVec3| pose_key([q].into_iter(), [p].into_iter());
        assert_eq!(key(q, DVec3::ZERO), key(-q, DVec3::splat(-0.0)));
        assert_ne!(key(q, DVec3::ZERO), key(q, DVec3::X));
    }
}
