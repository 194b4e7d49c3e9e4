// Draws the results of a search on a map with the ground below them. The ground is a file of this site, and nothing comes from
// elsewhere. Without this script, or where a browser cannot draw it, the page keeps the drawing without ground.
const { pmtiles, basemaps } = globalThis;
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Pins that are closer than this, in pixels, become one: they would cover each other. */
const minApart = { x: 52, y: 34 };
/** From this zoom on, places that are still together are spread around their spot. */
const maxZoom = 17;

/** The map, once it is drawn. It is made once, and moves to the new page when the results change. */
let drawn;
let markers = [];
let places = [];
let spreadSpot;

document.addEventListener('results', show);
show();

async function show() {
  const figure = document.getElementById('map');
  if (!figure?.dataset.tiles) return;
  places = JSON.parse(figure.dataset.places);
  try {
    drawn ??= await draw(figure);
  } catch {
    // The browser cannot draw it, or the session has ended. The drawing stays.
    return;
  }
  // The results may have changed while the map was drawn.
  const frame = document.querySelector('#map .onward-map-frame');
  if (!frame) return;
  frame.append(drawn.element);
  frame.classList.add('onward-map-live');
  document.getElementById('map-source').textContent = drawn.source;
  drawn.map.resize();
  drawn.ring(figure.dataset.searched && JSON.parse(figure.dataset.searched));
  showAll(figure);
  pin();
  markRows();
}

async function draw({ dataset }) {
  const tiles = new URL(dataset.tiles, location.href).href;
  const file = new pmtiles.PMTiles(tiles);
  const about = await file.getMetadata();
  const library = await import(dataset.library);
  library.setWorkerUrl(new URL(dataset.worker, location.href).href);
  const protocol = new pmtiles.Protocol();
  protocol.add(file);
  library.addProtocol('pmtiles', protocol.tile);
  const element = document.createElement('div');
  element.className = 'onward-map-canvas';
  document.querySelector('#map .onward-map-frame').append(element);
  const style = () => styleOf(tiles, about);
  let map;
  try {
    map = new library.Map({
      container: element,
      style: style(),
      maxZoom: maxZoom + 1,
      attributionControl: false,
      // One finger scrolls the page.
      cooperativeGestures: true,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      locale: { 'Map.Title': 'Map. Arrow keys move it, plus and minus zoom' },
    });
    await new Promise((resolve, reject) => {
      map.once('load', resolve);
      map.once('error', ({ error }) => reject(error));
    });
  } catch (error) {
    map?.remove();
    element.remove();
    throw error;
  }
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new library.NavigationControl({ showCompass: false }));
  map.addControl(new library.ScaleControl({ unit: 'imperial' }));
  map.on('moveend', pin);
  dark.addEventListener('change', () => map.setStyle(style()));
  const ring = new library.Marker({ element: ringElement() });
  return {
    element,
    map,
    library,
    source: new DOMParser().parseFromString(about.attribution ?? '', 'text/html').body.textContent,
    ring(searched) {
      ring.remove();
      if (searched) ring.setLngLat([searched.longitude, searched.latitude]).addTo(map);
    },
  };
}

/**
 * Protomaps' style in the page's typeface, for the layers that the file has. Icons and signs of roads are left out: they would
 * need images from elsewhere.
 */
function styleOf(tiles, { vector_layers: known = [] }) {
  const flavour = basemaps.namedFlavor(dark.matches ? 'dark' : 'light');
  const withImages = ['pois', 'roads_shields', 'roads_oneway', 'address_label'];
  const layers = basemaps
    .layers('ground', flavour, { lang: 'en' })
    .filter(({ id }) => !withImages.includes(id))
    .filter((layer) => !layer.source || known.some(({ id }) => id === layer['source-layer']))
    .map(({ layout: { 'icon-image': _, ...layout } = {}, ...layer }) => ({ ...layer, layout }));
  const inOurType = JSON.stringify(layers).replaceAll(/"Noto Sans [^"]*"/g, '"Frutiger W01"');
  return {
    version: 8,
    sources: { ground: { type: 'vector', url: `pmtiles://${tiles}` } },
    layers: JSON.parse(inOurType),
  };
}

/** Shows all places; near a postcode only the place of each service that is nearest, so that a far one does not make all small. */
function showAll({ dataset }) {
  const searched = dataset.searched && JSON.parse(dataset.searched);
  const nearest = new Map();
  for (const place of searched ? places : []) {
    const best = nearest.get(place.number);
    if (!best || apart(place, searched) < apart(best, searched)) nearest.set(place.number, place);
  }
  const shown = searched ? [searched, ...nearest.values()] : places;
  drawn.map.fitBounds(boundsOf(shown), { padding: 56, maxZoom: 15, animate: false });
}

function apart(one, other) {
  const eastwards = Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, (one.longitude - other.longitude) * eastwards);
}

function boundsOf(points) {
  const bounds = new drawn.library.LngLatBounds();
  for (const { longitude, latitude } of points) bounds.extend([longitude, latitude]);
  return bounds;
}

/** A pin for each place or group of places. A pin that had the focus keeps it, or the group that it is in now. */
function pin() {
  const focused = document.activeElement?.closest?.('.onward-pin')?.dataset.numbers;
  for (const marker of markers) marker.remove();
  markers = groups().flatMap((group) => (isSpread(group) ? spread(group) : [pinOf(group)]));
  for (const marker of markers) marker.addTo(drawn.map);
  const [first] = focused?.split(' ') ?? [];
  if (first) pinsWith(first)[0]?.focus();
}

/** The places in groups, as close as they are on the screen now. */
function groups() {
  const found = [];
  for (const place of places) {
    const { x, y } = drawn.map.project([place.longitude, place.latitude]);
    const near = found.find(
      (group) => Math.abs(group.x - x) < minApart.x && Math.abs(group.y - y) < minApart.y,
    );
    if (near) near.places.push(place);
    else found.push({ x, y, places: [place] });
  }
  return found;
}

function isSpread({ places: here }) {
  return here.length > 1 && spotOf(here) === spreadSpot;
}

function spotOf([{ latitude, longitude }]) {
  return `${latitude} ${longitude}`;
}

function spread({ places: here }) {
  const radius = Math.max(36, (here.length * 40) / (2 * Math.PI));
  return here.map((place, index) => {
    const angle = (2 * Math.PI * index) / here.length - Math.PI / 2;
    return pinOf({ places: [place] }, [Math.cos(angle) * radius, Math.sin(angle) * radius]);
  });
}

/** The most numbers that fit on a pin. */
const maxNumbers = 3;

function pinOf({ places: here }, offset = [0, 0]) {
  const numbers = [...new Set(here.map(({ number }) => number))].sort((one, other) => one - other);
  const names = [...new Set(here.map(({ name }) => name))];
  const [name] = names;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `onward-pin ${names.length > 1 ? 'onward-pin--group' : ''} ${sideOf(here)}`;
  button.dataset.numbers = numbers.join(' ');
  button.textContent = numbers.length > maxNumbers ? `${numbers.length} services` : numbers.join(', ');
  const label =
    names.length > 1 ? `Numbers ${numbers.join(', ')}: show them one by one` : `${numbers[0]}. ${name}`;
  button.setAttribute('aria-label', label);
  const hint = document.createElement('span');
  hint.className = 'onward-pin-name';
  hint.textContent = names.length > 1 ? names.slice(0, 4).join(', ') + (names.length > 4 ? ' …' : '') : name;
  button.append(hint);
  button.addEventListener('click', () => (names.length > 1 ? open(here) : goToRow(numbers[0])));
  for (const type of ['focus', 'mouseenter'])
    button.addEventListener(type, () => mark(numbers, type === 'focus' && isBeside()));
  for (const type of ['blur', 'mouseleave']) button.addEventListener(type, () => mark([]));
  const [{ longitude, latitude }] = here;
  return new drawn.library.Marker({ element: button, anchor: 'bottom', offset }).setLngLat([
    longitude,
    latitude,
  ]);
}

/** Where a name beside the middle of the pin would be cut off. */
function sideOf([{ longitude, latitude }]) {
  const { x } = drawn.map.project([longitude, latitude]);
  const { clientWidth: width } = drawn.element;
  if (x > width - 130) return 'onward-pin--east';
  return x < 130 ? 'onward-pin--west' : '';
}

/** Comes closer until the places of a group stand apart, or spreads those that share a spot. */
function open(here) {
  const camera = drawn.map.cameraForBounds(boundsOf(here), { padding: 80, maxZoom });
  const isOneSpot = new Set(here.map((place) => spotOf([place]))).size === 1;
  if (!isOneSpot && camera.zoom > drawn.map.getZoom() + 0.5) {
    drawn.map.easeTo(camera);
    return;
  }
  spreadSpot = spotOf(here);
  pin();
}

/** Beside the list, on a wide window; otherwise the map is above it. */
function isBeside() {
  return matchMedia('(min-width: 64em)').matches;
}

function rowOf(number) {
  return document.getElementById(`result-${number}`)?.closest('article');
}

function goToRow(number) {
  rowOf(number)?.querySelector('a').focus();
}

function pinsWith(number) {
  return [...document.querySelectorAll('.onward-pin')].filter((each) =>
    each.dataset.numbers.split(' ').includes(String(number)),
  );
}

/** Marks the rows and pins of these numbers, and no others. */
function mark(numbers, intoView = false) {
  for (const each of document.querySelectorAll('.onward-marked')) each.classList.remove('onward-marked');
  for (const number of numbers) {
    rowOf(number)?.classList.add('onward-marked');
    for (const each of pinsWith(number)) each.classList.add('onward-marked');
  }
  if (intoView) rowOf(numbers[0])?.scrollIntoView({ block: 'nearest' });
}

function markRows() {
  for (const { number } of places) {
    const row = rowOf(number);
    if (!row || row.dataset.marks) continue;
    row.dataset.marks = 'true';
    for (const type of ['focusin', 'mouseenter']) row.addEventListener(type, () => mark([number]));
    for (const type of ['focusout', 'mouseleave']) row.addEventListener(type, () => mark([]));
  }
}

function ringElement() {
  const ring = document.createElement('div');
  ring.className = 'onward-map-ring';
  return ring;
}
