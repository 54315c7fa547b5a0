//! Search for actions by typed text, for the command palette.

use super::{Action, Menu};

/// The quality of a match, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The query is the action's text.
    Exact,
    /// The text begins with the words of the query.
    FirstWords,
    /// Each word of the query is a word of the text: "quad" for "Ease quad in" before "Quadruped".
    WholeWords,
    /// The text begins with the query.
    Prefix,
    /// Each word of the query begins a word of the text.
    WordPrefixes,
    /// The query is one of the action's keywords, or begins one.
    Keyword,
    /// Each word of the query begins a word of the text or of the menu path: "add camera".
    PathPrefixes,
    /// Each word of the query occurs in the text.
    Substrings,
    /// Each word occurs in the text, the menu path, the tooltip or the keywords.
    Anywhere,
    /// The letters of the query occur in the text in their order: "miwe" for "Mirror weights".
    Subsequence,
}

/// What is searched of an entry.
pub struct Words {
    pub text: &'static str,
    /// The location in the menus.
    pub path: String,
    pub tooltip: &'static str,
    /// Alternative names, separated by commas.
    pub keywords: &'static str,
}

/// Returns the entries that match `query` with their locations, best first. Among equal matches, `recent` ones come first, in
/// their given order (latest first). An empty query matches all.
pub fn ranked<E: Copy + PartialEq>(
    query: &str,
    entries: impl Iterator<Item = (E, Words)>,
    recent: &[E],
) -> Vec<(E, String)> {
    let query = query.trim().to_lowercase();
    let mut found: Vec<_> = entries
        .filter_map(|(entry, words)| {
            let fit = fit(&query, &words)?;
            let recency = recent.iter().position(|other| *other == entry);
            Some(((fit, recency.unwrap_or(recent.len())), (entry, words.path)))
        })
        .collect();
    // The sort is stable: equal matches keep their order.
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

/// All actions, in the order of the menus.
pub fn actions() -> impl Iterator<Item = (Action, Words)> {
    Menu::ALL.iter().flat_map(|menu| {
        menu.actions.iter().map(move |action| {
            let path = menu_path(menu, *action);
            (*action, Words { text: action.text, path, tooltip: action.tooltip, keywords: action.keywords })
        })
    })
}

fn menu_path(menu: &Menu, action: Action) -> String {
    match action.submenu {
        Some(submenu) => format!("{} > {submenu}", menu.text),
        None => menu.text.to_owned(),
    }
}

fn fit(query: &str, words: &Words) -> Option<Fit> {
    let name = words.text.trim_end_matches('…').to_lowercase();
    if name == query {
        return Some(Fit::Exact);
    }
    const BETWEEN: [char; 3] = [' ', '-', '/'];
    let rest = name.strip_prefix(query);
    if !query.is_empty() && rest.is_some_and(|rest| rest.starts_with(BETWEEN)) {
        return Some(Fit::FirstWords);
    }
    let all = |matches: &dyn Fn(&str) -> bool| query.split_whitespace().all(matches);
    if !query.is_empty() && all(&|word| name.split(BETWEEN).any(|part| part == word)) {
        return Some(Fit::WholeWords);
    }
    if rest.is_some() {
        return Some(Fit::Prefix);
    }
    let path = words.path.to_lowercase();
    let begins = |text: &str, word: &str| text.split(BETWEEN).any(|part| part.starts_with(word));
    if all(&|word| begins(&name, word)) {
        return Some(Fit::WordPrefixes);
    }
    let keywords = words.keywords.to_lowercase();
    if !query.is_empty() && keywords.split(", ").any(|keyword| keyword.starts_with(query)) {
        return Some(Fit::Keyword);
    }
    if all(&|word| begins(&name, word) || begins(&path, word)) {
        return Some(Fit::PathPrefixes);
    }
    if all(&|word| name.contains(word)) {
        return Some(Fit::Substrings);
    }
    let all_text = format!("{name} {path} {} {keywords}", words.tooltip.to_lowercase());
    if all(&|word| all_text.contains(word)) {
        return Some(Fit::Anywhere);
    }
    let mut letters = name.chars();
    let in_order = |letter: char| letters.any(|candidate| candidate == letter);
    query.chars().filter(|letter| !letter.is_whitespace()).all(in_order).then_some(Fit::Subsequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(query: &str, recent: &[Action]) -> Vec<Action> {
        ranked(query, actions(), recent).into_iter().map(|(action, _)| action).collect()
    }

    fn first(query: &str, recent: &[Action]) -> Option<Action> {
        search(query, recent).first().copied()
    }

    #[test]
    fn every_action_is_found_by_its_text_and_by_words_of_it_in_any_order() {
        assert_eq!(search("", &[]).len(), Action::all().count());
        for action in Action::all() {
            let is_named = |found: &Action| found.name() == action.name();
            assert!(search(action.name(), &[]).first().is_some_and(is_named), "{action:?}");
            let words: Vec<_> = action.name().split(' ').rev().collect();
            let backwards = search(&words.join(" ").to_uppercase(), &[]);
            assert!(backwards.contains(&action), "{action:?}");
        }
    }

    #[test]
    fn prefixes_come_first_then_words_then_letters() {
        assert_eq!(first("undo", &[]), Some(Action::UNDO));
        assert_eq!(first("pose past", &[]), Some(Action::PASTE_POSE));
        assert_eq!(first("kbdshort", &[]), Some(Action::SHOW_KEYS));
        assert!(search("no such thing at all", &[]).is_empty());
    }

    #[test]
    fn whole_words_come_before_beginnings_of_others() {
        let words = |text| Words { text, path: String::new(), tooltip: "", keywords: "" };
        let entries = ["Quadruped", "Ease quad in", "Quad view"].map(|text| (text, words(text)));
        let found = ranked("quad", entries.into_iter(), &[]);
        let found: Vec<_> = found.into_iter().map(|(entry, _)| entry).collect();
        assert_eq!(found, ["Quad view", "Ease quad in", "Quadruped"]);
    }

    #[test]
    fn actions_are_found_by_their_keywords() {
        for (query, action) in [
            ("look-at", Action::LOOK_AT),
            ("look at", Action::LOOK_AT),
            ("aim", Action::LOOK_AT),
            ("Track to", Action::LOOK_AT),
            ("pole", Action::ADD_LIMB_IK),
            ("pin", Action::PIN),
            ("fk", Action::SWITCH_FK_IK),
            ("tween", Action::TWEEN),
            ("breakdown", Action::TWEEN),
            ("ghost", Action::TOGGLE_ONION),
            ("onion", Action::TOGGLE_ONION),
            ("mirror pose", Action::PASTE_MIRRORED_POSE),
            ("mirror", Action::MIRROR),
            ("full body", Action::ADD_BODY_IK),
            ("squat", Action::ADD_BODY_IK),
            ("crouch", Action::ADD_BODY_IK),
            ("add camera", Action::ADD_CAMERA),
            ("cube", Action::ADD_BOX),
            ("ball", Action::ADD_SPHERE),
            ("ground", Action::ADD_PLANE),
        ] {
            assert_eq!(first(query, &[]), Some(action), "{query}");
        }
    }

    #[test]
    fn recent_actions_come_before_equal_matches() {
        let recent = [Action::PASTE_POSE, Action::UNDO];
        let firsts: Vec<_> = search("", &recent).into_iter().take(2).collect();
        assert_eq!(firsts, recent);
        assert_eq!(first("redo", &recent), Some(Action::REDO));
    }
}
