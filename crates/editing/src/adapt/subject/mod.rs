//! Whose motion it is: the links and coordinates of a captured person, what touches the ground and when, and changed
//! bodies.

mod body_changes;
mod coordinates;
mod footholds;
mod link_roles;
mod paths;
mod posed_body;
#[expect(clippy::module_inception, reason = "the room is about it")]
mod subject;
mod touch;

pub use body_changes::{BodyChanges, CarriedLoad, ChangedBody, Scaled};
#[cfg(test)]
pub use coordinates::unwrapped;
pub use coordinates::{Block, Chart, Coordinates};
pub use footholds::{FlightEdges, Foothold, counted_flights, events_secs};
pub use posed_body::PosedBody;
pub use subject::{FORCE_WEIGHT, Subject, contacts_of};
pub use touch::Touch;
