import { createHash } from 'node:crypto';
import type { Db, Notices } from '../database/index.ts';
import { type App, anyone } from '../http/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { notFound, Problem } from '../problem/index.ts';
import { brandingTopic, findBranding, type SiteBranding } from './branding-store.ts';

/** The paths of the site's style sheet and logo. They change with the content, so that browsers may keep both for long. */
export type BrandingPaths = { stylesheet: string | undefined; logo: string | undefined };

export type BrandingReader = { current(): SiteBranding; shown(): BrandingPaths };

const defaultBranding: SiteBranding = { colour: null, logo: null };

/** Keeps the site's branding in memory, and reads it again a moment after any process has saved a new one. */
export function followBranding(db: Db, notices: Notices, log: Log): BrandingReader {
  let branding = defaultBranding;
  let shown = pathsOf(branding);
  let reads = 0;
  let shownRead = 0;
  const load = async () => {
    reads += 1;
    const readNumber = reads;
    try {
      const stored = await findBranding(db);
      // A read that began earlier may end later.
      if (readNumber < shownRead) return;
      shownRead = readNumber;
      branding = stored;
      shown = pathsOf(stored);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the branding of the site could not be read');
    }
  };
  notices.on(brandingTopic, load);
  notices.onGap(load);
  void load();
  return {
    current: () => branding,
    shown: () => shown,
  };
}

/** The logo is hashed when it changes, and not for every page. */
function pathsOf({ colour, logo }: SiteBranding): BrandingPaths {
  return {
    stylesheet: colour === null ? undefined : `/assets/look.css?v=${colour.slice(1)}`,
    logo: logo === null ? undefined : `/assets/logo?v=${versionOf(logo.content)}`,
  };
}

const versionOf = (content: Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 10);

/**
 * A browser may keep the answer for a year, if its address names what this process has. Otherwise another process made the page, and this
 * one has not read the change yet, or the other way round.
 */
function cacheControl(url: string, path: string | undefined): string {
  return url === path ? 'public, max-age=31536000' : 'no-cache';
}

export function brandingRoutes(app: App, branding: BrandingReader): void {
  const options = { config: { access: anyone }, schema: { hide: true } };
  app.get('/assets/look.css', options, ({ url }, reply) => {
    const { colour } = branding.current();
    const css = colour === null ? '' : `:root { --onward-colour: ${colour}; }\n`;
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', cacheControl(url, branding.shown().stylesheet))
      .send(css);
  });
  app.get('/assets/logo', options, ({ url }, reply) => {
    const { logo } = branding.current();
    if (!logo) throw new Problem(notFound);
    return reply
      .type(logo.type)
      .header('cache-control', cacheControl(url, branding.shown().logo))
      .send(logo.content);
  });
}
