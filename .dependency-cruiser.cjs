const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** The architecture, as rules: imports go down, through a room's door. See ARCHITECTURE.md. */
const floors = [
  ['platform'],
  ['audit'],
  ['accounts'],
  ['tokens'],
  ['library'],
  ['search', 'exchange'],
  ['referrals'],
  ['delivery', 'webhooks', 'self-referrals'],
  ['records', 'developers', 'reports'],
  ['operator', 'reference', 'home', 'health', 'sample'],
];

const upward = floors.flatMap((rooms, floor) =>
  rooms.map((room) => {
    const above = floors.slice(floor + 1).flat();
    const beside = rooms.filter((other) => other !== room);
    const forbidden = [...above, ...beside];
    return {
      name: `${room}-imports-down`,
      comment: `${room} may import only what lies below it.`,
      severity: 'error',
      from: { path: `^src/${room}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^src/(${['[^/]+\\.ts$', 'cli/', 'site/', ...forbidden.map((each) => `${each}/`)].join('|')})`,
      },
    };
  }),
);

/** The floors inside a room, the lowest first. Sub-rooms of one floor do not import each other; the room's own files are on top. */
const insideFloors = {
  platform: [
    ['ip-addresses', 'log', 'metrics', 'problem'],
    ['ids', 'concurrency', 'process'],
    ['settings'],
    ['database'],
    ['clock', 'connections', 'contacts', 'events', 'jobs', 'secrets'],
    ['backup', 'http', 'outbound'],
    ['restore-check', 'texts'],
    ['html', 'mail'],
  ],
  accounts: [
    ['model'],
    ['throttle'],
    ['passwords'],
    ['sign-in'],
    ['email-links', 'factors'],
    ['oidc'],
    ['systems', 'notifications'],
    ['people'],
  ],
  tokens: [
    ['model'],
    ['refresh-tokens', 'api-login', 'deprecated-uses'],
    ['named-keys'],
    ['system-accounts'],
  ],
  library: [
    ['model'],
    ['hours', 'postcodes'],
    ['filter'],
    ['write'],
    ['hsds', 'view', 'channels'],
    ['edit', 'saved-lists', 'practices'],
  ],
  search: [
    ['query'],
    ['index'],
    ['typed-words'],
    ['follow'],
    ['listings'],
    ['map-background'],
    ['pages'],
    ['directory'],
  ],
  referrals: [
    ['model'],
    ['endings'],
    ['submit', 'progress', 'conversation', 'listing', 'casework'],
    ['corrections'],
    ['overdue', 'escalation', 'record-keeping'],
    ['notifications'],
    ['person-page'],
    ['pages'],
  ],
  'referrals/model': [
    ['actors', 'due', 'idempotency', 'status'],
    ['after-acceptance'],
    ['person'],
    ['access', 'person-page'],
    ['attention'],
    ['presentation'],
    ['schemas'],
  ],
  'referrals/model/person': [['identity'], ['danger', 'death']],
  'referrals/listing': [['worklist']],
  'referrals/record-keeping': [['erasure']],
  'referrals/submit': [['checks']],
  'referrals/pages/referral': [['view']],
  'referrals/pages': [['lists'], ['form'], ['referral'], ['questionnaires'], ['change']],
  exchange: [['import'], ['feeds', 'csv', 'export'], ['jobs']],
  'exchange/import': [['model'], ['report'], ['read'], ['check'], ['package', 'store']],
  delivery: [
    ['model'],
    ['letter'],
    ['channels'],
    ['held', 'test-site/outbox'],
    ['plan', 'send', 'follow-up', 'offline-copy', 'case-file', 'leaflet'],
    ['answer', 'restore-check', 'undelivered', 'test-site/simulator'],
  ],
  webhooks: [['model'], ['calls'], ['events'], ['manage']],
  reports: [['model'], ['facts'], ['figures'], ['publish'], ['pages']],
  records: [['copy', 'requests']],
  developers: [['troubles', 'requests']],
  operator: [['accounts', 'audit', 'library', 'organisations', 'site', 'unmatched'], ['unusual-access']],
  home: [['texts']],
  reference: [['document']],
  'accounts/model': [['organisations']],
  'delivery/answer': [['claims']],
  'delivery/channels': [['mesh']],
  'delivery/channels/mesh': [['gp-connect']],
  'delivery/letter': [['draw', 'practice']],
  'delivery/letter/practice': [['tasks'], ['box']],
  'delivery/undelivered': [['causes']],
  'library/edit': [['form', 'state'], ['pages']],
  'library/saved-lists': [['pages']],
  'platform/database': [['embedded', 'notices']],
  'platform/http': [['errors']],
};
/** Here the room's own files are what its sub-rooms use, and not on top. Some of them also put these to use. */
const roomsOfTools = [
  'platform',
  'platform/database',
  'platform/http',
  'accounts/model',
  'library/edit',
  'library/saved-lists',
  'referrals/listing',
  'referrals/model',
  'referrals/model/person',
  'referrals/pages',
  'referrals/record-keeping',
  'delivery/channels',
  'delivery/channels/mesh',
  'delivery/letter',
  'delivery/letter/practice',
  'delivery/undelivered',
];

/** The folders with code below a room, such as `test-site/outbox`, that no floor above names. Their imports would not be checked. */
function unlistedSubRooms() {
  const listed = new Set(
    // `delivery/test-site/outbox` names `delivery/test-site` as well.
    Object.entries(insideFloors).flatMap(([room, levels]) =>
      levels.flat().flatMap((each) => [`${room}/${each}`, `${room}/${each.split('/')[0]}`]),
    ),
  );
  const folders = readdirSync(join(__dirname, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map(({ parentPath }) => parentPath.slice(join(__dirname, 'src').length + 1).replaceAll('\\', '/'));
  return [...new Set(folders)].filter(
    (folder) => folder.includes('/') && floors.flat().includes(folder.split('/')[0]) && !listed.has(folder),
  );
}
const unlisted = unlistedSubRooms();
if (unlisted.length > 0)
  throw new Error(`List on a floor of .dependency-cruiser.cjs: ${unlisted.sort().join(', ')}`);

const inside = Object.entries(insideFloors).flatMap(([room, levels]) =>
  levels.flatMap((subRooms, floor) =>
    subRooms.flatMap((subRoom) => {
      const forbidden = [...levels.slice(floor + 1).flat(), ...subRooms.filter((other) => other !== subRoom)];
      const ownFiles = roomsOfTools.includes(room) ? [] : ['[^/]+\\.ts$'];
      const paths = [...ownFiles, ...forbidden.map((each) => `${each}/`)];
      if (paths.length === 0) return [];
      return {
        name: `${room}-${subRoom}-imports-down`,
        comment: `${room}/${subRoom} may import only what lies below it in its room.`,
        severity: 'error',
        from: { path: `^src/${room}/${subRoom}/`, pathNot: '\\.test\\.ts$' },
        to: { path: `^src/${room}/(${paths.join('|')})` },
      };
    }),
  ),
);

const rooms = floors.flat().filter((room) => room !== 'platform');
const doors = rooms.map((room) => ({
  name: `${room}-has-one-door`,
  comment: `Other rooms use ${room} through its index.ts.`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${room}/` },
  to: { path: `^src/${room}/`, pathNot: `^src/${room}/index\\.ts$` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...upward,
    ...inside,
    ...doors,
    {
      name: 'sql-in-stores',
      comment: 'SQL lives in store files and in the platform, nowhere else.',
      severity: 'error',
      from: { path: '^src/', pathNot: '(^src/platform/|store\\.ts$|\\.test\\.ts$)' },
      to: { path: 'node_modules/(kysely|pg)/' },
    },
    {
      name: 'fastify-in-the-platform',
      comment: 'Rooms use platform/http and platform/html; only these two know Fastify itself.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/(http|html)/' },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'network-in-outbound',
      comment: 'Nothing leaves the site but through platform/outbound.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/' },
      to: { path: '(^(node:)?(http|https|net|tls|dgram|http2)$)|node_modules/undici/' },
    },
    {
      name: 'client-library-alone',
      comment: 'The client library runs in browsers and elsewhere, with nothing beside it.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: '^sdk/src/command-line/' },
      to: { pathNot: '^sdk/src/(?!command-line/)' },
    },
    {
      name: 'site-without-client-library',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'no-test-code',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '(^test/|\\.test\\.ts$|^bench/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
