//! A take: a motion and what is known of it.
//!
//! Every feature asks the same questions of a motion: whose joints and body are these, what do they touch, what carries
//! them, is it right? A [`Take`] holds what was said about the motion and finds the rest once, when it is first asked
//! for. Clones share what was found.

use crate::contacts::{self, ContactAnalysis, ContactFile, ContactOptions, OtherSpan, Seen, Subject};
use crate::error::AnalysisError;
use crate::ground::Ground;
use crate::report::{self, InspectOptions, Inspection, Required};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::{Body, BodyOptions, PhysicsError};
use std::sync::{Arc, OnceLock};

/// A motion and what is known of it.
#[derive(Clone, Debug)]
pub struct Take {
    clip: Arc<Clip>,
    roles: Arc<Roles>,
    /// Not every skeleton gets a body, and not every verb needs one.
    body: Result<Arc<Body>, PhysicsError>,
    /// How contacts are found and forces judged; the ground and the points to watch among it.
    options: Arc<InspectOptions>,
    /// Contacts that a person or a file states. They win over what would be found.
    stated: Option<Arc<ContactFile>>,
    /// Facts from before an edit that kept every frame at its time.
    inherited: Inherited,
    /// An edit has changed what time shows since gravity was held against the clock.
    is_retimed: bool,
    facts: Arc<Facts>,
}

/// What of the old motion still holds for the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Frames stay at their times: contacts that are stated or were found hold. Edits slide feet, so they are known
    /// better from before.
    Time,
    /// Nothing but roles, body and ground.
    Nothing,
}

/// Facts that came along from the motion before.
#[derive(Clone, Debug, Default)]
struct Inherited {
    contacts: Option<Arc<ContactAnalysis>>,
    unexplained: Option<Arc<Vec<OtherSpan>>>,
}

/// What was found in this very motion.
#[derive(Debug, Default)]
struct Facts {
    seen: OnceLock<Result<Seen, AnalysisError>>,
    required: OnceLock<Result<Required, AnalysisError>>,
    inspection: OnceLock<Result<Arc<Inspection>, AnalysisError>>,
    unexplained: OnceLock<Result<Arc<Vec<OtherSpan>>, AnalysisError>>,
    planting: OnceLock<Arc<ContactAnalysis>>,
}

impl Take {
    /// A motion with its roles and its body.
    pub fn new(clip: impl Into<Arc<Clip>>, roles: impl Into<Arc<Roles>>, body: impl Into<Arc<Body>>) -> Self {
        Self::with_or_without_body(clip, roles, Ok(body.into()))
    }

    /// A motion whose skeleton may have no body, and why.
    pub fn with_or_without_body(
        clip: impl Into<Arc<Clip>>,
        roles: impl Into<Arc<Roles>>,
        body: Result<Arc<Body>, PhysicsError>,
    ) -> Self {
        Self {
            clip: clip.into(),
            roles: roles.into(),
            body,
            options: Arc::default(),
            stated: None,
            inherited: Inherited::default(),
            is_retimed: false,
            facts: Arc::default(),
        }
    }

    /// A motion alone: joints by their names and places, an adult's body by the bones.
    pub fn of_clip(clip: impl Into<Arc<Clip>>) -> Self {
        let clip = clip.into();
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).map(Arc::new);
        Self::with_or_without_body(clip, roles, body)
    }

    /// The motion.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// The motion, to be kept without a copy.
    pub fn shared_clip(&self) -> Arc<Clip> {
        self.clip.clone()
    }

    /// Which joint is what.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Masses and shapes.
    pub fn body(&self) -> Result<&Body, PhysicsError> {
        self.body.as_deref().map_err(PhysicsError::clone)
    }

    /// Masses and shapes, to be kept without a copy.
    pub fn shared_body(&self) -> Result<Arc<Body>, PhysicsError> {
        self.body.clone()
    }

    /// The ground it moves on.
    pub fn ground(&self) -> Ground {
        self.options.contacts.ground
    }

    /// How it is judged.
    pub fn options(&self) -> &InspectOptions {
        &self.options
    }

    /// Contacts that a person or a file states.
    pub fn stated_contacts(&self) -> Option<&ContactFile> {
        self.stated.as_deref()
    }

    /// Whether contacts are stated, or known from before an edit: then nothing is looked for.
    pub fn has_known_contacts(&self) -> bool {
        self.stated.is_some() || self.inherited.contacts.is_some()
    }

    /// Contacts known from before an edit.
    pub fn inherited_contacts(&self) -> Option<&ContactAnalysis> {
        self.inherited.contacts.as_deref()
    }

    /// Another motion of the same body.
    pub fn with_clip(&self, clip: impl Into<Arc<Clip>>, keeps: Keeps) -> Self {
        let (stated, inherited) = match keeps {
            Keeps::Time => (self.stated.clone(), self.known_facts()),
            Keeps::Nothing => (None, Inherited::default()),
        };
        let is_retimed = self.is_retimed || keeps == Keeps::Nothing;
        Self { clip: clip.into(), stated, inherited, is_retimed, facts: Arc::default(), ..self.clone() }
    }

    /// What is known by now, found or inherited.
    fn known_facts(&self) -> Inherited {
        let found = self.facts.unexplained.get().and_then(|found| found.as_ref().ok());
        Inherited {
            contacts: self.inherited.contacts.clone().or_else(|| self.facts.planting.get().cloned()),
            unexplained: self.inherited.unexplained.clone().or_else(|| found.cloned()),
        }
    }

    /// Whether an edit has changed what time shows since the clip was read. Then a wrong fall proves no wrong header.
    pub fn is_retimed(&self) -> bool {
        self.is_retimed
    }

    /// The same motion, retimed by an edit of an earlier program run.
    pub fn retimed(&self) -> Self {
        Self { is_retimed: true, ..self.clone() }
    }

    /// The same motion by another body.
    pub fn with_body(&self, body: impl Into<Arc<Body>>) -> Self {
        Self { body: Ok(body.into()), facts: Arc::default(), ..self.clone() }
    }

    /// The same motion, judged in another way.
    pub fn with_options(&self, options: InspectOptions) -> Self {
        Self { options: Arc::new(options), facts: Arc::default(), ..self.clone() }
    }

    /// The same motion, its contacts found in another way.
    pub fn with_contact_options(&self, contacts: ContactOptions) -> Self {
        self.with_options(InspectOptions { contacts, ..InspectOptions::clone(&self.options) })
    }

    /// The same motion on another ground. Contacts that were found on the old one do not hold.
    pub fn with_ground(&self, ground: Ground) -> Self {
        let mut options = InspectOptions::clone(&self.options);
        options.contacts.ground = ground;
        Self { inherited: Inherited::default(), ..self.with_options(options) }
    }

    /// The same motion on a ground that moved with it: what is known of contacts holds.
    pub fn on_moved_ground(&self, ground: Ground) -> Self {
        Self { inherited: self.inherited.clone(), ..self.with_ground(ground) }
    }

    /// The same motion with contacts that a person or a file states: all of them, instead of what would be found.
    pub fn with_stated_contacts(&self, stated: impl Into<Arc<ContactFile>>) -> Self {
        let inherited = Inherited::default();
        Self { stated: Some(stated.into()), inherited, facts: Arc::default(), ..self.clone() }
    }

    /// The same motion with contacts that were found elsewhere, such as before an edit of another program run.
    pub fn with_known_contacts(&self, contacts: ContactAnalysis, unexplained: Option<Vec<OtherSpan>>) -> Self {
        let inherited = Inherited { contacts: Some(Arc::new(contacts)), unexplained: unexplained.map(Arc::new) };
        Self { inherited, ..self.clone() }
    }

    /// The same motion without contacts from before, so that they are found in it.
    pub fn without_inherited(&self) -> Self {
        Self { inherited: Inherited::default(), ..self.clone() }
    }

    /// What touches the ground, and flights: known from before, as stated, or found.
    pub fn contacts(&self) -> Result<&ContactAnalysis, AnalysisError> {
        match &self.inherited.contacts {
            Some(known) => Ok(known),
            None => self.seen().map(|seen| &seen.contacts),
        }
    }

    /// Contacts to hold feet by, made by `find` where none are known or kept: planting finds them more carefully in
    /// clips that jitter.
    pub fn contacts_to_hold<E>(
        &self,
        find: impl FnOnce(&Self) -> Result<ContactAnalysis, E>,
    ) -> Result<&ContactAnalysis, E> {
        if let Some(known) = &self.inherited.contacts {
            return Ok(known);
        }
        if let Some(found) = self.facts.planting.get() {
            return Ok(found);
        }
        let found = find(self)?;
        Ok(self.facts.planting.get_or_init(|| Arc::new(found)))
    }

    /// Contacts to hold feet by, where they were asked for before.
    pub fn held_contacts(&self) -> Option<&ContactAnalysis> {
        self.inherited.contacts.as_deref().or_else(|| self.facts.planting.get().map(Arc::as_ref))
    }

    /// The physics report: what the motion does to the ground, and whether a body could do it.
    ///
    /// It looks at this motion alone, by what is stated; contacts from before an edit do not count, so that no edit is
    /// judged by what it claims itself.
    pub fn inspection(&self) -> Result<&Arc<Inspection>, AnalysisError> {
        let found = self.facts.inspection.get_or_init(|| self.inspect().map(Arc::new));
        found.as_ref().map_err(AnalysisError::clone)
    }

    /// Spans in which something that is not modelled carries the body, so that its balance cannot be mended.
    pub fn unexplained(&self) -> Result<&[OtherSpan], AnalysisError> {
        if let Some(known) = &self.inherited.unexplained {
            return Ok(known);
        }
        let found = self.facts.unexplained.get_or_init(|| self.find_unexplained().map(Arc::new));
        found.as_ref().map(|found| found.as_slice()).map_err(AnalysisError::clone)
    }

    /// What was asked for before of [`Self::unexplained`].
    pub fn known_unexplained(&self) -> Option<&[OtherSpan]> {
        let found = self.facts.unexplained.get().and_then(|found| found.as_ref().ok());
        self.inherited.unexplained.as_ref().or(found).map(|spans| spans.as_slice())
    }

    /// The report alone.
    pub fn into_inspection(self) -> Result<Inspection, AnalysisError> {
        self.inspection().map(|found| Inspection::clone(found))
    }

    /// The contacts alone.
    pub fn into_contacts(self) -> Result<ContactAnalysis, AnalysisError> {
        self.contacts().cloned()
    }

    fn inspect(&self) -> Result<Inspection, AnalysisError> {
        report::inspect(&self.subject()?, self.seen()?, self.required()?, &self.options)
    }

    fn find_unexplained(&self) -> Result<Vec<OtherSpan>, AnalysisError> {
        report::unexplained_support(self.seen()?, self.required()?, &self.options)
    }

    fn subject(&self) -> Result<Subject<'_>, AnalysisError> {
        let (stated, options) = (self.stated.as_deref(), &self.options.contacts);
        Ok(Subject { clip: &self.clip, roles: &self.roles, body: self.body()?, stated, options })
    }

    /// Contacts as stated or found in this motion, with the paths they were found on.
    fn seen(&self) -> Result<&Seen, AnalysisError> {
        let look = || contacts::analyse(&self.subject()?);
        self.facts.seen.get_or_init(look).as_ref().map_err(AnalysisError::clone)
    }

    /// What the surroundings must do to the body for it to move like this.
    fn required(&self) -> Result<&Required, AnalysisError> {
        let find = || report::required(&self.subject()?, self.seen()?, &self.options);
        self.facts.required.get_or_init(find).as_ref().map_err(AnalysisError::clone)
    }
}
