use egui::*; use crate::edit::request::Request; use std::path::PathBuf;
#[derive(Clone,Copy,PartialEq)] pub enum Mode { Open, Save }
pub struct FileDialogState { pub error: Option<String> }
impl FileDialogState { pub fn new(_m:Mode,_f:PathBuf,_n:String)->Self{ Self{error:None} } }
pub fn file_dialog_ui(_c:&Context,_d:&mut FileDialogState,_o:&mut Vec<Request>)->bool{false}
