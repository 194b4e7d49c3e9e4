import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import nunjucks from 'nunjucks';
import { minuteMs } from '../durations.ts';
import {
  type CallerIdentity,
  keptFormField,
  requestCaller,
  unsentForm,
  unsentFormField,
  withNext,
  withoutUnsentForm,
} from '../http/access.ts';
import { compressIfAccepted, type FixedContent, fixedContent, sendFixed } from '../http/compression.ts';
import { Problem, tooLarge } from '../problem/index.ts';
import { version } from '../process/version.ts';
import { contactOf, type Settings } from '../settings/index.ts';
import { favicon, fontPaths, mapStyles, scripts, styleSheets } from './assets.ts';
import type { BrandingPaths } from './branding.ts';
import { fillForm } from './fill-form.ts';
import { filters } from './filters.ts';

export type NavigationItem = {
  readonly href: string;
  readonly text: string;
  /** A number beside the text, and what it counts, for those who cannot see it: “3 need action”. */
  readonly badge?: { readonly text: string; readonly meaning: string };
};

/** What a template is given. The names that the layout uses are forbidden, since they would be silently overwritten. */
type PageContext = {
  readonly [name: string]: unknown;
  readonly site?: never;
  readonly footer?: never;
  readonly viewer?: never;
  readonly path?: never;
  readonly answersForm?: never;
  readonly navigation?: never;
  readonly restoreCheck?: never;
  readonly mailFailure?: never;
  readonly branding?: never;
  readonly formOwner?: never;
};

/** Renders pages. Every page has the site's name, who is signed in, and the navigation. */
export type Pages = {
  /** `template` is a path below src/, such as `search/templates/find.njk`. */
  send(request: FastifyRequest, reply: FastifyReply, template: string, context?: PageContext): FastifyReply;
  /**
   * The same for a page that says the same to everybody, such as a chapter of the guide: for visitors it is compressed, and not sent again to a
   * browser that has it. Never for somebody signed in, whose page has their name.
   */
  sendPublic(
    request: FastifyRequest,
    reply: FastifyReply,
    template: string,
    context?: PageContext,
  ): FastifyReply | Promise<FastifyReply>;
  /**
   * The same as `send`, compressed. Only for a page with no secret and nothing about the people who are referred, such as a search for
   * services: see `http/compression.ts`. The name of who is signed in may stand on it.
   */
  sendCompressed(
    request: FastifyRequest,
    reply: FastifyReply,
    template: string,
    context?: PageContext,
  ): Promise<FastifyReply>;
  /** Renders a document of its own, to keep or print. */
  render(template: string, context: object): string;
  sendError(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply;
  /**
   * A page with the form that somebody sent without being signed in, so that they can send it again and lose nothing.
   * @param encryptedForm undefined if nobody can tell whose form it is: then it is not kept.
   */
  answerWithForm(
    request: FastifyRequest,
    reply: FastifyReply,
    encryptedForm: string | undefined,
  ): FastifyReply;
};

const html = 'text/html; charset=utf-8';
const root = join(import.meta.dirname, '..', '..');
const nhsuk = join(root, '..', 'node_modules', 'nhsuk-frontend', 'dist');

/** Reads templates without their indentation, which would be a quarter of what a page sends. */
class TemplateLoader extends nunjucks.FileSystemLoader {
  override getSource(name: string) {
    const source = super.getSource(name);
    return { ...source, src: source.src.replaceAll(/^[ \t]+/gm, '') };
  }
}

/** For all sites of a process, so that each template is compiled once. What differs between sites comes with the page. */
const environment = new nunjucks.Environment(new TemplateLoader([root, nhsuk]), {
  autoescape: true,
  throwOnUndefined: false,
  trimBlocks: true,
  lstripBlocks: true,
});
// NHS.UK's templates indent what they nest.
environment.addFilter('indent', (text: unknown) => text);
for (const [name, filter] of Object.entries(filters)) environment.addFilter(name, filter);
for (const [name, value] of Object.entries({ styleSheets, fontPaths, mapStyles, scripts, favicon }))
  environment.addGlobal(name, value);

/** What the layout of every page shows besides its content. */
type Frame = {
  navigation(request: FastifyRequest, viewer?: CallerIdentity): NavigationItem[];
  footer: readonly NavigationItem[];
  branding(): BrandingPaths;
  /** The encrypted id of the user who fills in the page's forms, so that an unsent form can be given back after their session. */
  encryptFormWriter(viewer: CallerIdentity): string;
  /** After how long without use a session ends. */
  sessionIdleMs: number;
  /** The time by the site’s clock, from which a page tells this year’s dates and “Today”. */
  now(): Date;
};

/** Pages without a menu and links, for tests and for describing the API. */
export const emptyFrame: Frame = {
  navigation: () => [],
  footer: [],
  branding: () => ({ stylesheet: undefined, logo: undefined }),
  encryptFormWriter: () => '',
  sessionIdleMs: 30 * minuteMs,
  now: () => new Date(),
};

export function createPages(
  settings: Settings,
  { navigation, footer, branding, encryptFormWriter, sessionIdleMs, now }: Frame,
): Pages {
  const renderPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    template: string,
    context: PageContext = {},
  ): string => {
    const viewer = requestCaller(request);
    const path = request.routeOptions.url ?? '';
    const restoreCheck = reply.getHeader('onward-check-first');
    const mailFailure = reply.getHeader('onward-mail-failure');
    const shared = {
      site: describeSite(settings),
      footer,
      viewer,
      path,
      // Where to come back to from a page that a banner leads to.
      currentPath: request.method === 'GET' ? request.url : '/',
      // Whether the page has the address of a form that was sent, and which a browser can go back to.
      answersForm: request.method === 'POST' && request.server.hasRoute({ method: 'GET', url: path }),
      navigation: navigation(request, viewer),
      restoreCheck,
      mailFailure,
      branding: branding(),
      formOwner: viewer && encryptFormWriter(viewer),
      // A session is seen as used up to a minute late.
      sessionMs: sessionIdleMs - minuteMs,
    };
    const page = environment.render(template, { now: now(), ...context, ...shared });
    const unsent = unsentForm(request);
    if (!unsent) return page;
    const banner = (words: object) =>
      environment.render('platform/html/templates/signed-in-again.njk', {
        ...words,
        unsentFormField,
        id: unsent.id,
        page: withoutUnsentForm(request.url),
      });
    return fillForm(page, { path: request.url, unsent, banner });
  };
  const send: Pages['send'] = (request, reply, template, context) =>
    reply.type(html).send(renderPage(request, reply, template, context));
  // Public pages by their content, with their compressed forms.
  const publicPages = new Map<string, FixedContent>();
  return {
    send,
    sendPublic(request, reply, template, context) {
      if (requestCaller(request)) return send(request, reply, template, context);
      const page = fixedContent(html, Buffer.from(renderPage(request, reply, template, context)));
      const content = publicPages.get(page.etag) ?? page;
      // There are few, but a change of what every page says makes all of them new.
      if (publicPages.size >= maxPublicPages) publicPages.clear();
      publicPages.set(page.etag, content);
      return sendFixed(request, reply.header('cache-control', 'private, no-cache'), content);
    },
    async sendCompressed(request, reply, template, context) {
      const page = renderPage(request, reply, template, context);
      const compressed = await compressIfAccepted(request, reply, page, undefined);
      return reply.type(html).send(compressed ?? page);
    },
    render: (template, context) =>
      environment.render(template, { ...context, site: describeSite(settings), footer }),
    sendError: (request, reply, problem) =>
      send(request, reply, 'platform/html/templates/problem.njk', {
        problem: {
          ...problem.kind,
          detail: problem.detail,
          errors: problem.errors,
          page: problem.extra?.page,
        },
        requestId: request.id,
      }),
    answerWithForm(request, reply, encryptedForm) {
      // The file was not read, and a page could not hold it.
      const withFile = request.headers['content-type']?.startsWith('multipart/');
      const from = pathOfForm(request, settings);
      return send(request, reply.code(401), 'platform/html/templates/signed-out.njk', {
        action: request.url,
        keptFormField,
        kept: encryptedForm,
        withFile,
        signInPath: from ? withNext('/signin', from) : '/signin',
        hasWayBack: from !== undefined,
      });
    },
  };
}

/** The page from which a form was sent, if the browser says so. */
function pathOfForm({ headers }: FastifyRequest, { baseUrl }: Settings): string | undefined {
  const from = URL.parse(headers.referer ?? '');
  return from?.origin === new URL(baseUrl).origin ? from.pathname + from.search : undefined;
}

/** Made for each page, since an operator may have entered contacts a moment ago. */
function describeSite(settings: Settings) {
  return {
    name: settings.siteName,
    version,
    baseUrl: settings.baseUrl,
    test: settings.mode === 'test',
    operatorContact: contactOf(settings),
    dataController: settings.dataController,
    clinicalSafetyContact: settings.clinicalSafetyContact ?? contactOf(settings),
    caldicottGuardian: settings.caldicottGuardian,
    dataProtectionOfficer: settings.dataProtectionOfficer,
    /** False while nobody is named whom people could contact. */
    hasContact: settings.operatorContact !== undefined,
    hasSafetyContact: (settings.clinicalSafetyContact ?? settings.operatorContact) !== undefined,
  };
}

const maxPublicPages = 200;

/** More than any page has. A megabyte of empty fields would come back as a page of twenty megabytes. */
const maxFields = 1000;

/**
 * The names and texts of a form; a name can come more than once. Passwords, secrets and codes are left out, since somebody else may sit at the
 * computer now. @throws Problem `too-large`.
 */
export function keepableFields(body: unknown): Record<string, string | string[]> {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
    .filter(([name]) => !/password|secret/.test(name) && name !== 'code')
    .map(([name, value]) => [name, [value].flat().filter(isText)] as const);
  if (fields.flatMap(([, texts]) => texts).length > maxFields)
    throw new Problem(tooLarge, 'The form has too many fields.');
  return Object.fromEntries(fields.map(([name, texts]) => [name, texts.length === 1 ? texts[0]! : texts]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
