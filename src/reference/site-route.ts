import { Type } from 'typebox';
import { type App, anyone, problemAnswers } from '../platform/http/index.ts';
import { version } from '../platform/process/version.ts';
import type { Settings } from '../platform/settings/index.ts';

/** What this site can do beside what every site can. Clients ignore words that they do not know. */
function featuresOf({ mode, libraryPublic }: Settings): string[] {
  return [
    'events',
    'idempotent-replayed',
    'library-lines',
    'named-keys',
    'problem-codes',
    'webhooks',
    ...(libraryPublic ? ['library-public'] : []),
    ...(mode === 'test' ? ['simulator', 'troubles'] : []),
  ];
}

const siteSchema = Type.Object(
  {
    name: Type.String(),
    mode: Type.Enum(['test', 'live'], { title: 'SiteMode' }),
    version: Type.String({ description: 'Of the software. For support; look at `features` instead.' }),
    features: Type.Array(Type.String(), {
      description: 'What a client can count on here. More words may come.',
    }),
  },
  {
    title: 'Site',
    examples: [
      {
        name: 'Sarrowby referrals',
        mode: 'test',
        version: '0.1.0',
        features: ['events', 'named-keys', 'webhooks'],
      },
    ],
  },
);

/** `GET /api/`: which site this is, and what it can do. */
export function siteRoute(app: App, { settings }: { settings: Settings }): void {
  const { siteName: name, mode } = settings;
  const site = { name, mode, version, features: featuresOf(settings) };
  app.get(
    '/api/',
    {
      config: { access: anyone },
      schema: {
        operationId: 'getSite',
        tags: ['Tokens'],
        summary: 'See which site this is, and what it can do',
        description:
          'Needs no token. Says whether the site is for tests, and what a client can count on here.',
        security: [],
        response: {
          200: siteSchema,
          ...problemAnswers({ 400: 'A parameter is not known.' }),
        },
      },
    },
    () => site,
  );
}
