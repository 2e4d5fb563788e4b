//! Work lists: the sub-problems of one question about a root, and their text.

use super::SplitError;
use super::tree::{Query, Tree};
use crate::{VERSION, hash_text};
use kalah_rules::{LayerKind, Margin, Position, RuleSet, Side, SowingGame, State};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the text form.
const FORMAT: u32 = 2;

/// What the first line of a list begins with: no other file of this program does.
const MARK: &str = "{\"work_list\":";

/// One sub-problem: is the value of a position, for its mover, at least a window?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its number in the list, from 1.
    pub id: u64,
    /// The position with empty stores; they do not matter.
    pub state: State,
    /// The window, for the player to move.
    pub window: Margin,
}

/// The sub-problems that together answer whether the value of a root is at least a window.
///
/// A list is determined by its root, rules, window and how many positions were unfolded, so a damaged one is noticed when it
/// is read.
#[derive(Clone, Debug)]
pub struct WorkList {
    rules: RuleSet,
    root: State,
    window: Margin,
    parts: u64,
    layers: Option<u32>,
    version: String,
    tree: Tree,
    tasks: Vec<Task>,
}

/// The first line.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    work_list: u32,
    rules: String,
    rules_hash: String,
    pits: u8,
    root: String,
    window: i16,
    layers: Option<u32>,
    parts: u64,
    unfolded: u64,
    sub_problems: u64,
    version: String,
    /// The XXH3-64 of the line with nothing in this field, as 16 hexadecimal digits.
    check: String,
}

impl Header {
    fn expected_check(&self) -> String {
        let unchecked = json(&Header { check: String::new(), ..self.clone() });
        format!("{:016x}", xxh3_64(unchecked.trim_end().as_bytes()))
    }
}

/// The first field of the first line in every version.
#[derive(Deserialize)]
struct Version {
    work_list: u32,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: u64,
    position: String,
    window: i16,
    seeds: u32,
}

impl WorkList {
    /// Splits the question whether the value of `root`, for its mover, is at least `window` into `parts` or a few more
    /// sub-problems with more than `layers` seeds in pits; fewer if there are not so many. Those within `layers` come
    /// on top: looking them up is no work.
    ///
    /// Where every seed goes to somebody, a window of the wrong parity asks the same as the next higher one, and
    /// that is what the list says.
    ///
    /// # Errors
    /// If the rules have a swap or allow repetitions, or the answer needs no search.
    pub fn split(
        rules: RuleSet,
        root: &State,
        window: Margin,
        parts: u64,
        layers: Option<u32>,
    ) -> Result<WorkList, SplitError> {
        let window = checked_window(rules, root, window)?;
        let mut tree = Tree::new(rules, root, window, layers)?;
        // The next position to be unfolded has the most seeds: with none open, none is beyond the layers.
        while tree.open() > 0 && (tree.open() as u64) < parts {
            tree.grow()?;
        }
        let version = VERSION.to_owned();
        Ok(WorkList::new(rules, root, window, parts, layers, version, tree))
    }

    fn new(
        rules: RuleSet,
        root: &State,
        window: Margin,
        parts: u64,
        layers: Option<u32>,
        version: String,
        tree: Tree,
    ) -> WorkList {
        let task = |(index, (query, to_move)): (usize, (Query, Side))| Task {
            id: index as u64 + 1,
            state: seen(root.pits(), query.position, to_move),
            window: query.window,
        };
        let tasks = tree.edge().enumerate().map(task).collect();
        WorkList { rules, root: root.with_stores(0, 0), window, parts, layers, version, tree, tasks }
    }

    /// The rules.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The position in question, with empty stores.
    pub fn root(&self) -> State {
        self.root
    }

    /// What is asked of the root: whether its value, for its mover, is at least this.
    pub fn window(&self) -> Margin {
        self.window
    }

    /// How many sub-problems were asked for.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// The layers that are expected where the sub-problems are solved: complete up to this many seeds. With fewer the
    /// results are the same, only later.
    pub fn layers(&self) -> Option<u32> {
        self.layers
    }

    /// The version of the program that wrote the list.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The sub-problems, those with the most seeds in pits first.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// How many positions lie between the root and the sub-problems, the root included.
    pub fn unfolded(&self) -> usize {
        self.tree.unfolded.len()
    }

    pub(super) fn unfolded_positions(&self) -> &[Position] {
        &self.tree.unfolded
    }

    /// The list as text: a header and one line for every sub-problem, each a JSON object.
    pub fn to_text(&self) -> String {
        let mut header = Header {
            work_list: FORMAT,
            rules: self.rules.to_string(),
            rules_hash: hash_text(&self.rules),
            pits: self.root.pits(),
            root: self.root.to_string(),
            window: self.window.0,
            layers: self.layers,
            parts: self.parts,
            unfolded: self.unfolded() as u64,
            sub_problems: self.tasks.len() as u64,
            version: self.version.clone(),
            check: String::new(),
        };
        header.check = header.expected_check();
        let mut text = json(&header);
        for task in &self.tasks {
            text += &json(&Line {
                id: task.id,
                position: task.state.to_string(),
                window: task.window.0,
                seeds: task.state.position().seeds(),
            });
        }
        text
    }

    /// Whether a text begins as a list does.
    pub fn is_list(text: &str) -> bool {
        text.starts_with(MARK)
    }

    /// Reads a list back; `name` is what errors call it.
    ///
    /// # Errors
    /// If a line cannot be read, the rules have another hash in this program, or the sub-problems are not those of the root.
    pub fn from_text(text: &str, name: &str) -> Result<WorkList, SplitError> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let fault = |line: usize, fault: String| SplitError::Line { place: place(name, line), fault };
        let Version { work_list: found } = parse(first, name, 1)?;
        if found != FORMAT {
            return Err(fault(1, format!("this program reads work lists of version {FORMAT}, found version {found}")));
        }
        let header: Header = parse(first, name, 1)?;
        let rules: RuleSet = header.rules.parse().map_err(|error| fault(1, format!("{error}")))?;
        if header.rules_hash != hash_text(&rules) {
            return Err(SplitError::Rules {
                place: place(name, 1),
                rules: header.rules,
                expected: hash_text(&rules),
                found: header.rules_hash,
            });
        }
        if header.check != header.expected_check() {
            let expected = header.expected_check();
            return Err(fault(1, format!("expected the checksum {expected}, found '{}'", header.check)));
        }
        // What is announced must be there before anything is unfolded for it.
        let there = text.lines().count() as u64 - 1;
        if header.sub_problems != there {
            let announced = header.sub_problems;
            return Err(fault(1, format!("{announced} sub-problems are announced, the file ends after {there}")));
        }
        let root: State = header.root.parse().map_err(|error| fault(1, format!("the root: {error}")))?;
        if root.pits() != header.pits {
            let both = format!("expected a root with {} pits a side, found {}", header.pits, root.pits());
            return Err(fault(1, both));
        }
        let window = checked_window(rules, &root, Margin(header.window))?;
        let mut tree = Tree::new(rules, &root, window, None)?;
        // Sub-problems become more as positions are unfolded, but for a few: a number that is damaged must not fill memory.
        let most = header.sub_problems.saturating_mul(4).saturating_add(1000);
        for _ in 0..header.unfolded {
            if tree.is_done() || tree.open() as u64 > most {
                break;
            }
            tree.grow()?;
        }
        let list = WorkList::new(rules, &root, window, header.parts, header.layers, header.version, tree);
        if list.unfolded() as u64 != header.unfolded || list.tasks.len() as u64 != header.sub_problems {
            let both = format!(
                "{} positions unfolded from the root leave {} sub-problems, the header says {} and {}",
                list.unfolded(),
                list.tasks.len(),
                header.unfolded,
                header.sub_problems
            );
            return Err(fault(1, both));
        }
        let mut number = 1;
        for task in &list.tasks {
            number += 1;
            let line = lines.next().unwrap_or_default();
            let Line { id, position, window, seeds } = parse(line, name, number)?;
            let expected = (task.id, task.state.to_string(), task.window.0, task.state.position().seeds());
            if (id, &position, window, seeds) != (expected.0, &expected.1, expected.2, expected.3) {
                let both = format!(
                    "expected sub-problem {}, {} with {} seeds and the window {:+}, found {id}, {position} with {seeds} and \
                     {window:+}",
                    expected.0, expected.1, expected.3, expected.2
                );
                return Err(fault(number, both));
            }
        }
        Ok(list)
    }
}

/// The window if it is one, rounded up to one that a value can have.
fn checked_window(rules: RuleSet, root: &State, window: Margin) -> Result<Margin, SplitError> {
    let game = rules.game(root.pits())?;
    let position = root.position();
    let seeds = position.seeds();
    if rules.pie {
        return Err(SplitError::Pie { rules });
    }
    if game.layer_kind() == LayerKind::Cyclic {
        return Err(SplitError::Cyclic { rules });
    }
    if game.over(position).is_some() {
        return Err(SplitError::Finished { root: root.to_string() });
    }
    let odd = game.keeps_parity() && (i32::from(window.0) ^ seeds as i32) & 1 != 0;
    let rounded = Margin(window.0.saturating_add(i16::from(odd)));
    let all = Margin(seeds as i16);
    if rounded <= -all || rounded > all {
        return Err(SplitError::Window { seeds, window });
    }
    Ok(rounded)
}

/// The board with empty stores in which `to_move` sees `position`.
fn seen(pits: u8, position: Position, to_move: Side) -> State {
    match to_move {
        Side::South => State::new(pits, position),
        Side::North => State::new(pits, position.flipped()).with_to_move(Side::North),
    }
}

/// One line of text.
pub(super) fn json(object: &impl Serialize) -> String {
    // Objects with texts, numbers and named fields always have a JSON form.
    serde_json::to_string(object).unwrap_or_default() + "\n"
}

/// Reads one line.
pub(super) fn parse<'a, T: Deserialize<'a>>(line: &'a str, name: &str, number: usize) -> Result<T, SplitError> {
    serde_json::from_str(line)
        .map_err(|error| SplitError::Line { place: place(name, number), fault: without_place(&error.to_string()) })
}

/// A line of a file.
pub(super) fn place(name: &str, line: usize) -> String {
    format!("{name} line {line}")
}

/// The message without the place in the line, which looks as if it were one in the file.
fn without_place(message: &str) -> String {
    match message.rsplit_once(" at line ") {
        Some((what, at)) => format!("{what} (character {})", at.rsplit_once(' ').map_or(at, |(_, column)| column)),
        None => message.to_owned(),
    }
}
