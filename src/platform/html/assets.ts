import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, anyone, fixedContent, sendFixed } from '../http/index.ts';
import { fonts, nhsukStyles, siteStyles } from './style-sheets.ts';

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules');

type Asset = { readonly path: string; readonly type: string; readonly body: Buffer };

const fontAssets = fonts.map(({ weight, body }) => asset(`open-sans-${weight}`, 'woff2', 'font/woff2', body));

/** For the layout, which fetches them at once: a browser otherwise asks for them only after the style sheets. */
export const fontPaths: readonly string[] = fontAssets.map(({ path }) => path);

const css = 'text/css; charset=utf-8';
const sheetAssets: readonly Asset[] = [
  asset('nhsuk', 'css', css, Buffer.from(nhsukStyles)),
  asset('site', 'css', css, Buffer.from(withFontPaths(siteStyles))),
];

const script = 'text/javascript; charset=utf-8';
const webauthnBundle = join(modules, '@simplewebauthn', 'browser', 'dist', 'bundle', 'index.umd.min.js');

/** Each is loaded only by the pages that need it. */
const scriptAssets = {
  attachFile: ownScript('attach-file'),
  backToForm: ownScript('back-to-form'),
  dropDone: ownScript('drop-done'),
  followImport: ownScript('follow-import'),
  compare: ownScript('compare'),
  copyButtons: ownScript('copy-buttons'),
  findChoices: ownScript('find-choices'),
  findServices: ownScript('find-services'),
  liveCounts: ownScript('live-counts'),
  printButtons: ownScript('print-buttons'),
  saveDraft: ownScript('save-draft'),
  passwords: ownScript('passwords'),
  sessionEnd: ownScript('session-end'),
  unsentText: ownScript('unsent-text'),
  webauthn: asset('webauthn', 'js', script, readFileSync(webauthnBundle)),
  passkeys: ownScript('passkeys'),
  map: ownScript('map'),
  // What the map needs of others; the first two are modules that it loads itself.
  maplibre: packageScript('maplibre', 'maplibre-gl', 'dist', 'maplibre-gl.mjs'),
  maplibreWorker: packageScript('maplibre-worker', 'maplibre-gl', 'dist', 'maplibre-gl-worker.mjs'),
  pmtiles: packageScript('pmtiles', 'pmtiles', 'dist', 'pmtiles.js'),
  basemaps: packageScript('basemaps', '@protomaps', 'basemaps', 'dist', 'basemaps.js'),
} satisfies Record<string, Asset>;

/** MapLibre's own styles, for pages with a map. */
const mapSheet = asset(
  'maplibre',
  'css',
  css,
  readFileSync(join(modules, 'maplibre-gl', 'dist', 'maplibre-gl.css')),
);
export const mapStyles = mapSheet.path;

/** The icons of NHS.UK's style sheet, at the paths that it uses. */
const icons: readonly Asset[] = [...new Set(nhsukStyles.match(/\/assets\/images\/[\w-]+\.svg/g))].map(
  (path) => ({
    path,
    type: 'image/svg+xml',
    body: readFileSync(join(modules, 'nhsuk-frontend', 'dist', 'nhsuk', path)),
  }),
);

const faviconAsset = asset(
  'favicon',
  'svg',
  'image/svg+xml',
  readFileSync(join(import.meta.dirname, 'favicon.svg')),
);
export const favicon = faviconAsset.path;

export const styleSheets: readonly string[] = sheetAssets.map((each) => each.path);

/** The paths of the scripts, by name, for templates. */
export const scripts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(scriptAssets).map(([name, { path }]) => [name, path]),
);

/** Style sheets, scripts, fonts and icons. A style sheet's path changes with its content, so browsers may keep it for a year. */
export function assetRoutes(app: App): void {
  for (const { path, type, body } of [
    ...sheetAssets,
    ...Object.values(scriptAssets),
    mapSheet,
    ...fontAssets,
    ...icons,
    faviconAsset,
  ]) {
    const content = fixedContent(type, body);
    app.get(path, { config: { access: anyone }, schema: { hide: true } }, (request, reply) =>
      sendFixed(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), content),
    );
  }
}

/** A font’s path changes with its content, too. */
function withFontPaths(styles: string): string {
  return fonts.reduce(
    (text, { weight }, index) => text.replace(`open-sans-${weight}.woff2`, fontPaths[index]!),
    styles,
  );
}

function ownScript(name: string): Asset {
  return asset(name, 'js', script, readFileSync(join(import.meta.dirname, 'scripts', `${name}.js`)));
}

/** A script of a package as it is, without the address of a source map that the site does not serve. */
function packageScript(name: string, ...path: string[]): Asset {
  const body = readFileSync(join(modules, ...path));
  const end = body.lastIndexOf('//# sourceMappingURL=');
  return asset(name, 'js', script, end < 0 ? body : body.subarray(0, end));
}

function asset(name: string, ending: string, type: string, body: Buffer): Asset {
  const version = createHash('sha256').update(body).digest('hex').slice(0, 10);
  return { path: `/assets/${name}-${version}.${ending}`, type, body };
}
