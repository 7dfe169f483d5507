// Elements from names, attributes and children. Text is always text: nothing parses markup.
const SVG = 'http://www.w3.org/2000/svg';

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) node.append(child);
  }
  return node;
}

function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function counted(count, one, many) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

// A name that cannot turn the direction of the text around it.
function name(text) {
  return el('bdi', {}, text);
}

const COLOURS = 8;
const OUTLINES = ['M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z'];

function colourOf(number) {
  return `c${(number - 1) % COLOURS}`;
}

function outlineOf(number) {
  return OUTLINES[Math.floor((number - 1) / COLOURS) % OUTLINES.length];
}

// The sign of a class: its colour, its outline and its number.
function chip(number, attributes) {
  if (number > 999) return el('span', {class: 'pill'}, number.toLocaleString('en'));
  const size = number < 100 ? {} : {'font-size': 9};
  return svg('svg', {class: 'chip', viewBox: '-12 -11 24 22', role: 'img', 'aria-label': `class ${number}`, ...attributes},
    svg('path', {class: `disc ${colourOf(number)}`, d: outlineOf(number), transform: 'scale(9.5)'}),
    svg('text', {y: 4, ...size}, String(number)));
}
