// What a vertex sees of the colours around it: the signature that decides its next colour.

// The arcs of every vertex, as the direction mode makes them from triples; each neighbourhood is a set.
function arcsOf(graph, direction) {
  const arcs = graph.vertices.map(() => new Map());
  const add = (v, relation, inverse, u) => arcs[v].set(`${relation} ${inverse} ${u}`, {relation, inverse, u});
  for (const [head, relation, tail] of graph.triples) {
    if (direction !== 'in') add(head, relation, false, tail);
    if (direction === 'both') add(tail, relation, true, head);
    if (direction === 'undirected' || direction === 'in') add(tail, relation, false, head);
  }
  return arcs.map(found => [...found.values()]);
}

function gcd(a, b) {
  return b ? gcd(b, a % b) : a;
}

function tally(classes) {
  const counts = new Map();
  for (const c of classes) counts.set(c, (counts.get(c) || 0) + 1);
  return [...counts].sort((a, b) => a[0] - b[0]);
}

// Rows {key, relation, inverse, what, entries: [[class, count], ...], total, shares}: one for each thing that is seen.
function signature(sees, arcs, colours) {
  const rows = [];
  const groups = new Map();
  for (const arc of arcs) {
    const key = 2 * arc.relation + (arc.inverse ? 1 : 0);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(colours[arc.u]);
  }
  const relations = [...groups].sort((a, b) => (a[0] % 2) - (b[0] % 2) || a[0] - b[0]);
  if (sees.relations) {
    for (const [key, classes] of relations) rows.push(seenUnder(key, classes, sees.shares));
  } else if (sees.degrees) {
    rows.push({key: 'all', what: 'all neighbours', entries: tally(arcs.map(arc => colours[arc.u]))});
    for (const [key, classes] of relations) {
      rows.push({key: `n${key}`, relation: key >> 1, inverse: key % 2 === 1, what: 'how many', number: classes.length, entries: []});
    }
  } else {
    const distinct = [...new Set(arcs.map(arc => arc.u))];
    rows.push({key: 'all', what: 'all neighbours', entries: tally(distinct.map(u => colours[u]))});
  }
  if (sees.all) rows.push({key: 'graph', what: 'the whole graph', entries: tally(colours)});
  return rows;
}

function seenUnder(key, classes, shares) {
  const entries = tally(classes);
  const divisor = shares ? entries.reduce((d, [, count]) => gcd(d, count), 0) : 1;
  return {
    key: `r${key}`, relation: key >> 1, inverse: key % 2 === 1, shares,
    entries: entries.map(([c, count]) => [c, count / divisor]),
    total: classes.length / divisor,
  };
}

// Equal signatures have equal texts.
function written(row) {
  return row === undefined ? '' : JSON.stringify([row.key, row.number, row.entries]);
}

function writtenAll(rows) {
  return rows.map(written).join();
}
