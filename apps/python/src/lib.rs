//! The native half of the Python package `aplomb`: clips as NumPy arrays, everything else as JSON texts that the Python
//! half reads.
//!
//! Arrays belong to NumPy from the moment a clip is read, so that `clip.rotations` is a view and never a copy. Long
//! work runs without the interpreter's lock. Errors carry the messages of the command, and the code of a reader's
//! refusal.

mod batch;
mod clip;
mod errors;
mod verbs;

use pyo3::prelude::*;

/// The native half of `aplomb`; use the package.
#[pymodule]
fn _aplomb(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("AplombError", module.py().get_type::<errors::AplombError>())?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<verbs::Edits>()?;
    module.add_class::<batch::Job>()?;
    module.add_function(wrap_pyfunction!(clip::load, module)?)?;
    module.add_function(wrap_pyfunction!(clip::inspect_file, module)?)?;
    module.add_function(wrap_pyfunction!(clip::clip_from_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(batch::clear_leftovers, module)?)?;
    Ok(())
}
