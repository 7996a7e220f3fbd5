//! Orientations of trackers from tables.

use aplomb_editing::track::Orientations;
use aplomb_motion::{JointId, Role, Roles, Skeleton};
use glam::DQuat;

/// `time,segment,x,y,z,w`: seconds, a role or a joint's name, and the quaternion that turns the segment into the world.
pub(super) fn orientations(text: &str, skeleton: &Skeleton, roles: &Roles) -> Result<Orientations, String> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| {
        let found = headers.iter().position(|own| own.eq_ignore_ascii_case(name));
        found.ok_or_else(|| format!("expected columns time, segment, x, y, z, w; there is no {name}"))
    };
    let [time, segment] = [column("time")?, column("segment")?];
    let parts = [column("x")?, column("y")?, column("z")?, column("w")?];
    let joint_of = |name: &str, line: u64| -> Result<JointId, String> {
        let by_role = name.parse::<Role>().ok().and_then(|role| roles.joint(role));
        let found = by_role.or_else(|| skeleton.find(name));
        found.ok_or_else(|| format!("line {line}: {name:?} is neither a role nor a joint of this skeleton"))
    };
    let mut samples: Vec<(f64, Vec<(JointId, DQuat)>)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let number = |at: usize| -> Result<f64, String> {
            let field = record.get(at).unwrap_or_default();
            let value = field.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| format!("line {line}: expected a number, found {field:?}"))
        };
        let at_secs = number(time)?;
        let joint = joint_of(record.get(segment).unwrap_or_default(), line)?;
        let [x, y, z, w] = [number(parts[0])?, number(parts[1])?, number(parts[2])?, number(parts[3])?];
        let rotation = DQuat::from_xyzw(x, y, z, w);
        if !(0.5..2.0).contains(&rotation.length()) {
            return Err(format!(
                "line {line}: expected a quaternion of length one, found length {}",
                rotation.length()
            ));
        }
        match samples.last_mut() {
            Some((secs, sample)) if *secs == at_secs => sample.push((joint, rotation.normalize())),
            Some((secs, _)) if *secs > at_secs => {
                return Err(format!("line {line}: time goes back from {secs} to {at_secs} s"));
            }
            _ => samples.push((at_secs, vec![(joint, rotation.normalize())])),
        }
    }
    let Some((_, first)) = samples.first() else { return Err("there are no samples".to_owned()) };
    let mut joints: Vec<JointId> = first.iter().map(|(joint, _)| *joint).collect();
    joints.sort();
    let mut rotations = Vec::with_capacity(samples.len() * joints.len());
    for (secs, sample) in &mut samples {
        sample.sort_by_key(|(joint, _)| *joint);
        if !sample.iter().map(|(joint, _)| *joint).eq(joints.iter().copied()) {
            return Err(format!(
                "the sample at {secs} s has other segments than the first; every sample needs all of them"
            ));
        }
        rotations.extend(sample.iter().map(|(_, rotation)| *rotation));
    }
    Ok(Orientations { times_secs: samples.iter().map(|(secs, _)| *secs).collect(), joints, rotations })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientations_are_read_sample_by_sample_and_faults_named_with_their_line() {
        let clip = aplomb_builtins::clip("wave").unwrap();
        let roles = Roles::detect(&clip);
        let read = |text: &str| orientations(text, clip.skeleton(), &roles);
        let good = "time,segment,x,y,z,w\n0,right_hand,0,0,0,1\n0,Head,0,0,0,1\n0.05,Head,0,0,0,1\n0.05,right_hand,0,0.1,0,0.995\n";
        let given = read(good).unwrap();
        assert_eq!((given.times_secs.len(), given.joints.len(), given.rotations.len()), (2, 2, 4));
        for (bad, word) in [
            ("time,segment,x,y,z\n", "no w"),
            ("time,segment,x,y,z,w\n0,tail_9,0,0,0,1\n", "line 2"),
            ("time,segment,x,y,z,w\n0,Head,0,0,0,0\n", "length"),
            ("time,segment,x,y,z,w\n0,Head,0,0,0,nan\n", "number"),
            ("time,segment,x,y,z,w\n1,Head,0,0,0,1\n0,Head,0,0,0,1\n", "back"),
            ("time,segment,x,y,z,w\n0,Head,0,0,0,1\n1,Hips,0,0,0,1\n", "other segments"),
            ("time,segment,x,y,z,w\n", "no samples"),
        ] {
            let error = read(bad).unwrap_err();
            assert!(error.contains(word), "{bad}: {error}");
        }
    }
}
