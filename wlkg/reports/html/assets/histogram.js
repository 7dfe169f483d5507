// How many vertices of each graph every class has at this round.
const MOST_CLASSES = 30;

function showHistogram(state, box) {
  const counts = state.isQuotient ? classSizes(state) : classCounts(state);
  const largest = Math.max(1, ...counts.flatMap(entry => entry.counts));
  // Parts of graphs have several graphs to draw, but nothing to compare.
  const two = state.data.graphs.length > 1 && !state.data.isPart;
  const unequal = counts.filter(entry => two && entry.counts[0] !== entry.counts[1]).length;
  // Classes whose counts differ come first if not all can be shown.
  const shown = counts.length > MOST_CLASSES ? [...counts].sort((a, b) => difference(b) - difference(a)).slice(0, MOST_CLASSES) : counts;
  const rows = shown.map(entry => histogramRow(state, entry, largest, two));
  const more = counts.length - shown.length;
  box.replaceChildren(
    el('h4', {}, state.isQuotient ? 'Vertices in each class' : `${counted(counts.length, 'class', 'classes')} at round ${state.round}`),
    two ? el('div', {class: 'key'}, state.data.graphs.map((graph, g) => el('span', {class: g ? 'second' : 'first'}, name(graph.name)))) : '',
    el('div', {class: 'bars-of'}, rows),
    more > 0 ? el('p', {class: 'hint'}, `${counted(more, 'class', 'classes')} more.`) : '',
    two ? el('p', {class: 'hint'}, unequal ? `≠ ${counted(unequal, 'class has', 'classes have')} different numbers of vertices.` : 'Every class has as many vertices in both graphs.') : '');
}

function difference(entry) {
  return entry.counts.length > 1 ? Math.abs(entry.counts[0] - entry.counts[1]) : entry.counts[0];
}

function classSizes(state) {
  return state.data.graphs[0].sizes.map((size, vertex) => ({number: state.colours()[0][vertex], counts: [size], first: {graph: 0, vertex}}));
}

function classCounts(state) {
  const found = new Map();
  state.colours().forEach((colours, g) => colours.forEach((c, v) => {
    if (!found.has(c)) found.set(c, {number: c, counts: state.data.graphs.map(() => 0), first: {graph: g, vertex: v}});
    found.get(c).counts[g] += 1;
  }));
  return [...found.values()].sort((a, b) => a.number - b.number);
}

function histogramRow(state, entry, largest, two) {
  const chosen = state.chosen && state.colours()[state.chosen.graph][state.chosen.vertex] === entry.number;
  const bars = entry.counts.map((count, g) => {
    const fill = el('span', {class: 'fill'});
    fill.style.width = `${Math.round(86 * count / largest)}%`;
    return el('span', {class: `count ${g ? 'second' : 'first'}`}, fill, count.toLocaleString('en'));
  });
  const unequal = two && entry.counts[0] !== entry.counts[1];
  return el('button', {type: 'button', class: 'plain', 'aria-pressed': chosen ? 'true' : 'false',
    'aria-label': `class ${entry.number}: ${entry.counts.join(' and ')} vertices`, onclick: () => state.choose(entry.first)},
  chip(entry.number), el('span', {class: 'pair'}, bars), el('span', {class: 'unequal'}, unequal ? '≠' : ''));
}
