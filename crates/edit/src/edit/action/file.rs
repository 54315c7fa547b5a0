//! The File menu.

use super::{AppRequest, Dialog, Prepared, Shortcut, edit, row, rows};

rows!(
    NEW = row("New", "Start an empty scene.", |_| { Ok(Prepared::App(AppRequest::New)) })
        .keys(&[Shortcut::ctrl("N")]),
    OPEN = row("Open…", "Open a js3d scene file.", |_| { Ok(Prepared::App(AppRequest::Open)) })
        .keys(&[Shortcut::ctrl("O")])
        .separated(),
    SAVE = row("Save", "Save the scene to its file.", |_| { Ok(Prepared::App(AppRequest::Save)) })
        .keys(&[Shortcut::ctrl("S")])
        .separated(),
    SAVE_AS = row("Save as…", "Save the scene under another name.", |_| {
        Ok(Prepared::App(AppRequest::SaveAs))
    })
    .keys(&[Shortcut::ctrl_shift("S")]),
    RECOVER = row(
        "Recover…",
        "List unsaved work from sessions that crashed, or that were closed without saving in the last 14 days.",
        |_| Ok(Prepared::App(AppRequest::Recover)),
    ),
    IMPORT =
        row("Import OBJ…", "Add a mesh from an OBJ file.", |_| { Ok(Prepared::App(AppRequest::Import)) })
            .separated(),
    IMPORT_GLTF = row(
        "Import glTF…",
        "Add the contents of a glTF file: characters with their animations, meshes, cameras and lights.",
        |_| Ok(Prepared::App(AppRequest::ImportScene)),
    ),
    APPEND = row("Append scene…", "Add everything of another js3d scene file.", |_| {
        Ok(Prepared::App(AppRequest::Append))
    }),
    EXPORT = row(
        "Export OBJ…",
        "Save the selected mesh as OBJ: in Rig in its bind pose, in Animate as posed.",
        |view| edit::selected_surface(view).map(|_| Prepared::App(AppRequest::Export)),
    ),
    EXPORT_GLTF = row(
        "Export glTF…",
        "Save what is visible, with its skeletons and takes, for games and other programs.",
        |_| Prepared::dialog(Dialog::ExportGltf),
    )
    .keys(&[Shortcut::ctrl("E")]),
    // Keys as in Blender, like those of the next row.
    RENDER_ANIMATION =
        row("Render animation…", "Render the animation as pictures, a GIF or an MP4.", |_| {
            Prepared::dialog(Dialog::Render { picture: false })
        },)
        .keys(&[Shortcut::ctrl("F12")])
        .separated(),
    SAVE_PICTURE = row("Save picture…", "Render the current frame as a picture.", |_| {
        Prepared::dialog(Dialog::Render { picture: true })
    })
    .keys(&[Shortcut::plain("F12")]),
    QUIT = row("Quit", "Close the program.", |_| { Ok(Prepared::App(AppRequest::Quit)) })
        .keys(&[Shortcut::ctrl("Q")])
        .separated(),
);
