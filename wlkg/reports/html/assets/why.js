// Why a vertex gets its next colour: what all vertices of its class see, side by side.
const MOST_GROUPS = 5;

// Vertices of one class, grouped by what they see, the group of the chosen vertex first.
function groupsOf(state, chosen) {
  const colours = state.colours();
  const own = colours[chosen.graph][chosen.vertex];
  const groups = new Map();
  // What all vertices of a graph see is not known where only a part of it is drawn.
  const sees = {...state.colouring.sees, all: state.colouring.sees.all && !state.data.isPart};
  const isWhole = m => !state.data.graphs[m.graph].partial.includes(m.vertex);
  const order = [chosen, ...state.members(own).filter(m => m.graph !== chosen.graph || m.vertex !== chosen.vertex)];
  for (const member of order.filter(isWhole)) {
    const rows = signature(sees, state.arcs[member.graph][member.vertex], colours[member.graph]);
    const key = writtenAll(rows);
    if (!groups.has(key)) groups.set(key, {rows, members: []});
    groups.get(key).members.push(member);
  }
  return [...groups.values()];
}

function showWhy(state, box) {
  box.replaceChildren();
  if (!state.chosen) {
    const what = state.isQuotient ? 'Choose a class to see its relations.' : 'Choose a vertex to see its class, and why it gets its next colour.';
    box.append(el('p', {class: 'hint'}, what));
    return;
  }
  if (state.isQuotient) {
    showClass(state, box);
    return;
  }
  const {graph, vertex} = state.chosen;
  const number = state.colours()[graph][vertex];
  const data = state.data.graphs[graph];
  const label = data.labels.length ? `, label ${data.labels[vertex]}` : '';
  box.append(
    el('button', {type: 'button', class: 'close tool', onclick: () => state.choose(null)}, 'Clear'),
    el('h4', {}, chip(number), ' ', name(data.vertices[vertex])),
    el('p', {class: 'hint'}, `Class ${number} at round ${state.round}`, name(label), `: ${membersText(state, number)}.`),
    historyOf(state, graph, vertex, true));
  if (data.partial.includes(vertex)) box.append(el('p', {class: 'hint'}, 'Only a part of its neighbours is drawn.'));
  else if (state.colouring.of === 'tuples') box.append(tuplesText(state));
  else box.append(...seenTable(state, groupsOf(state, state.chosen), number));
}

// A class of a large graph: the relations that lead to other classes.
function showClass(state, box) {
  const graph = state.data.graphs[0], v = state.chosen.vertex, numbers = state.colours()[0];
  const rows = graph.triples.map(([head, relation, tail], i) => ({head, relation, tail, count: graph.counts[i]}))
    .filter(each => each.head === v || each.tail === v)
    .map(each => {
      const inverse = each.head !== v;
      const other = inverse ? each.head : each.tail;
      return el('tr', {}, el('th', {scope: 'row'}, seenName(state, {relation: each.relation, inverse})),
        el('td', {}, chip(numbers[other])), el('td', {class: 'number'}, counted(each.count, 'triple', 'triples')));
    });
  box.append(
    el('button', {type: 'button', class: 'close tool', onclick: () => state.choose(null)}, 'Clear'),
    el('h4', {}, chip(numbers[v]), ` Class ${numbers[v].toLocaleString('en')}: ${counted(graph.sizes[v], 'vertex', 'vertices')}`),
    el('p', {class: 'hint'}, 'One of them: ', name(graph.vertices[v])),
    el('div', {class: 'scroll'}, el('table', {}, el('tbody', {}, rows))));
}

function membersText(state, number) {
  const counts = state.data.graphs.map((graph, g) => state.colours()[g].filter(c => c === number).length);
  const drawn = state.data.isPart ? ' drawn' : '';
  if (counts.length === 1) return counted(counts[0], 'vertex', 'vertices') + drawn;
  return counts.map((count, g) => `${count.toLocaleString('en')} in ${state.data.graphs[g].name}`).join(', ') + drawn;
}

// The classes of a vertex at all rounds; a click goes to the round.
function historyOf(state, graph, vertex, clickable) {
  const box = el('div', {class: 'history', 'aria-label': 'class at each round'});
  const rounds = state.colouring.rounds;
  rounds.forEach((colours, t) => {
    if (rounds.length > 24 && t > 11 && t < rounds.length - 12) {
      if (t === 12) box.append('…');
      return;
    }
    const sign = chip(colours[graph][vertex], {class: t === state.round ? 'chip now' : 'chip', 'aria-label': `round ${t}: class ${colours[graph][vertex]}`});
    box.append(clickable ? el('button', {type: 'button', class: 'plain', title: `round ${t}`, onclick: () => state.goTo(t)}, sign) : sign);
  });
  return box;
}

function tuplesText(state) {
  return el('p', {class: 'hint'}, `${state.colouring.test} colours tuples of vertices (${state.colouring.summary}). ` +
    'Classes of vertices come from them: two vertices share a class if the tuples of only that vertex have the same colour, and the tuples that begin with it have the same colours.');
}

function seenTable(state, groups, number) {
  const next = state.colouring.rounds[state.round + 1];
  const shown = groups.slice(0, MOST_GROUPS);
  const keys = new Map();
  for (const group of shown) for (const row of group.rows) if (!keys.has(row.key)) keys.set(row.key, row);
  const rows = [...keys].map(([key, row]) => {
    const cells = shown.map(group => group.rows.find(r => r.key === key));
    const differs = new Set(cells.map(written)).size > 1;
    return el('tr', {class: differs ? 'differs' : ''}, el('th', {scope: 'row'}, seenName(state, row)),
      cells.map((cell, i) => el('td', {class: i === 0 ? 'own' : ''}, seenCell(cell))));
  });
  if (!rows.length) rows.push(el('tr', {}, el('th', {scope: 'row'}, 'no neighbours')));
  const head = el('tr', {}, el('th', {}, `round ${state.round + 1} sees`), shown.map(group => groupHead(state, group, next)));
  const table = el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, head), el('tbody', {}, rows)));
  const more = groups.length - shown.length;
  return [el('p', {}, splitText(state, groups, number)), table,
    more > 0 ? el('p', {class: 'hint'}, `${counted(more, 'other group is', 'other groups are')} not shown.`) : null].filter(Boolean);
}

function splitText(state, groups, number) {
  const count = groups.reduce((sum, group) => sum + group.members.length, 0);
  const drawn = state.data.isPart ? ' drawn' : '';
  if (count === 1) return state.data.isPart ? `No other vertex of class ${number} is drawn with all its neighbours.` : `It is the only vertex of class ${number}: nothing can split it.`;
  if (groups.length === 1) return `All ${count}${drawn} vertices of class ${number} see the same, so they stay together.`;
  return `The ${count}${drawn} vertices of class ${number} see ${groups.length} different things, so round ${state.round + 1} splits it.`;
}

function groupHead(state, group, next) {
  const first = group.members[0];
  const becomes = next ? ['becomes ', chip(next[first.graph][first.vertex]), ' '] : [];
  const others = el('button', {type: 'button', class: 'plain', title: 'Choose a vertex of this group', onclick: () => state.choose(first)},
    counted(group.members.length, 'vertex', 'vertices'));
  return el('th', {scope: 'col'}, becomes, others);
}

function seenName(state, row) {
  if (row.relation === undefined) return row.what;
  const line = state.legend[row.relation];
  const title = state.data.relations[row.relation];
  const direction = row.inverse ? '← ' : (state.data.direction === 'undirected' ? '' : '→ ');
  const swatch = line ? line.cloneNode(true) : null;
  if (swatch) swatch.setAttribute('class', `line-of r${row.relation % 6}`);
  return [swatch, direction, name(title), row.what ? `: ${row.what}` : ''].filter(Boolean);
}

function seenCell(row) {
  if (!row) return '–';
  if (row.number !== undefined) return String(row.number);
  return row.entries.map(([c, count]) => el('span', {class: 'times'}, row.shares ? (count === row.total ? 'all ' : `${count}/${row.total} `) : `${count} × `, chip(c)));
}
