use egui::*; use crate::edit::view::View; use crate::edit::request::Request;
#[derive(Default)] pub struct DialogsState { pub keys: bool, pub about: bool, pub ask_save_changes: bool }
impl DialogsState { pub fn modal(&self)->bool{false} }
pub fn dialogs_ui(_c:&Context,_v:&View,_s:&mut DialogsState,_o:&mut Vec<Request>){}
