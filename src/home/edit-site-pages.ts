import { Type } from 'typebox';
import { actorOf, requireCaller } from '../accounts/index.ts';
import { type AuditAction, recordAudit } from '../audit/index.ts';
import { findEnteredContacts, loadContacts, saveContacts } from '../platform/contacts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { detectFileType } from '../platform/file-type.ts';
import {
  type FormErrors,
  fieldError,
  findBranding,
  type Logo,
  readFields,
  renderWrittenText,
  saveBranding,
  successBanner,
  textError,
} from '../platform/html/index.ts';
import {
  type App,
  anyForm,
  installUploads,
  page,
  type Reply,
  type Request,
  signedIn,
  withUpload,
} from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem, tooLarge, unprocessable } from '../platform/problem/index.ts';
import { isSetOnMachine } from '../platform/settings/index.ts';
import { readSiteText, sitePages } from './site-pages.ts';
import { deleteSiteText, listSiteTexts, saveSiteText } from './site-texts-store.ts';

const path = '/operator/site';
const config = page(signedIn('operator'));
const params = Type.Object({ name: Type.String({ maxLength: 50 }) });
const maxTextLength = 20_000;
const maxLogoBytes = 100 * 1024;
const defaultColour = '#005eb8';

const done = successBanner({
  text: 'The page was saved.',
  default: 'The page has its default text again.',
  colour: 'The colour was saved.',
  contacts: 'The contacts were saved. Every page, letter and email names them from now on.',
  logo: 'The logo was saved.',
  'no-logo': 'The logo was removed.',
});

/** Where an operator sets the site's contacts and its own texts, logo and colour. */
export function editSitePages(app: App, deps: WebPlatform): void {
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    sendSite(deps, request, reply, { done: done.words(request.query.done) }),
  );
  contactForm(app, deps);
  textForms(app, deps);
  brandingForms(app, deps);
}

async function sendSite(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  context: { done?: string | undefined; colour?: string; contacts?: ContactFields; errors?: FormErrors },
): Promise<Reply> {
  const ownTexts = await listSiteTexts(deps.db);
  const look = await findBranding(deps.db);
  return deps.pages.send(request, reply, 'home/templates/edit-site.njk', {
    sitePages: sitePages.map((each) => ({
      ...each,
      written: ownTexts.find(({ name }) => name === each.name),
    })),
    hasLogo: look.logo !== null,
    ...context,
    contacts: context.contacts ?? (await readContactFields(deps)),
    setOnMachine: {
      operator: isSetOnMachine(deps.settings, 'operatorContact'),
      safety: isSetOnMachine(deps.settings, 'clinicalSafetyContact'),
    },
    colour: context.colour ?? look.colour ?? defaultColour,
  });
}

type ContactFields = { operator_contact: string; safety_contact: string };

/** What is in force: what the machine sets, or else what an operator entered. */
async function readContactFields({ db, settings }: WebPlatform): Promise<ContactFields> {
  const entered = await findEnteredContacts(db);
  const { operatorContact, clinicalSafetyContact } = settings;
  return {
    operator_contact:
      (isSetOnMachine(settings, 'operatorContact') ? operatorContact : entered.operatorContact) ?? '',
    safety_contact:
      (isSetOnMachine(settings, 'clinicalSafetyContact')
        ? clinicalSafetyContact
        : entered.clinicalSafetyContact) ?? '',
  };
}

/** A field that the machine sets is not on the form, and what was entered for it before stays. */
function contactForm(app: App, deps: WebPlatform): void {
  const { db, clock, settings } = deps;
  app.post(`${path}/contacts`, { config, schema: { body: anyForm } }, async (request, reply) => {
    const contacts = readFields(request.body, ['operator_contact', 'safety_contact']);
    const errors = contactErrors(contacts);
    if (errors) return sendSite(deps, request, reply.code(unprocessable.status), { contacts, errors });
    await inTransaction(db, async (trx) => {
      const before = await findEnteredContacts(trx);
      const entered = (key: keyof typeof before, text: string) =>
        isSetOnMachine(settings, key) ? before[key] : text || null;
      await saveContacts(trx, {
        operatorContact: entered('operatorContact', contacts.operator_contact),
        clinicalSafetyContact: entered('clinicalSafetyContact', contacts.safety_contact),
        updatedAt: clock.now(),
        updatedByName: requireCaller(request).name,
      });
      await recordSiteChange(trx, deps, request, 'site.contacts_changed', {});
    });
    // The next page shows them already, whenever the notice arrives.
    await loadContacts(db, settings);
    return reply.redirect(done.path(path, 'contacts'), 303);
  });
}

const maxContactLength = 200;

function contactErrors(contacts: ContactFields): FormErrors | undefined {
  for (const [field, text] of Object.entries(contacts)) {
    if ([...text].length > maxContactLength)
      return fieldError(field, `Use ${maxContactLength} characters or fewer`);
    // Without an address or a number, readers would be sent to somebody whom they cannot reach.
    if (text && !/@|\d{4}|https:\/\//.test(text.replaceAll(' ', '')))
      return fieldError(field, 'Add a telephone number or an email address');
  }
  return undefined;
}

function textForms(app: App, deps: WebPlatform): void {
  const { db, pages, clock } = deps;
  app.get(`${path}/:name`, { config, schema: { params } }, async (request, reply) => {
    const edited = requirePage(request.params.name);
    const text = await readSiteText(deps, edited.name);
    return pages.send(request, reply, 'home/templates/edit-text.njk', { edited, text });
  });

  app.post(`${path}/:name`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const edited = requirePage(request.params.name);
    const { text, action } = readFields(request.body, ['text', 'action']);
    const errors = textError('text', text || undefined, {
      ifMissing: 'Enter the text of the page',
      maxLength: maxTextLength,
    });
    if (errors || action === 'preview') {
      const preview = errors ? undefined : renderWrittenText(text);
      if (errors) reply.code(unprocessable.status);
      return pages.send(request, reply, 'home/templates/edit-text.njk', { edited, text, errors, preview });
    }
    const caller = requireCaller(request);
    await inTransaction(db, async (trx) => {
      const at = clock.now();
      await saveSiteText(trx, edited.name, { text, updatedAt: at, updatedByName: caller.name });
      await recordSiteChange(trx, deps, request, 'site.text_changed', { page: edited.name });
    });
    return reply.redirect(done.path(path, 'text'), 303);
  });

  app.post(`${path}/:name/default-text`, { config, schema: { params } }, async (request, reply) => {
    const edited = requirePage(request.params.name);
    await inTransaction(db, async (trx) => {
      await deleteSiteText(trx, edited.name);
      await recordSiteChange(trx, deps, request, 'site.text_changed', { page: edited.name, default: true });
    });
    return reply.redirect(done.path(path, 'default'), 303);
  });
}

/** @throws Problem `not-found`. */
function requirePage(name: string) {
  const page = sitePages.find((each) => each.name === name);
  if (!page) throw new Problem(notFound);
  return page;
}

function brandingForms(app: App, deps: WebPlatform): void {
  const { db } = deps;
  app.post(`${path}/colour`, { config, schema: { body: anyForm } }, async (request, reply) => {
    const colour = readFields(request.body, ['colour']).colour.toLowerCase();
    const errors = colourErrors(colour);
    if (errors) return sendSite(deps, request, reply.code(unprocessable.status), { colour, errors });
    await inTransaction(db, async (trx) => {
      await saveBranding(trx, {
        ...(await findBranding(trx)),
        colour: colour === defaultColour ? null : colour,
      });
      await recordSiteChange(trx, deps, request, 'site.look_changed', { colour });
    });
    return reply.redirect(done.path(path, 'colour'), 303);
  });

  app.post(`${path}/logo/remove`, { config }, async (request, reply) => {
    await setLogo(deps, request, null);
    return reply.redirect(done.path(path, 'no-logo'), 303);
  });
  installUploads(app, maxLogoBytes, (scope) => {
    scope.post(`${path}/logo`, { config, schema: { hide: true } }, async (request, reply) => {
      try {
        await withUpload(request, ({ content }) => {
          const type = logoType(content);
          if (!type) throw new Problem(unprocessable);
          return setLogo(deps, request, { type, content });
        });
        return reply.redirect(done.path(path, 'logo'), 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const text =
          error.kind === tooLarge
            ? `The logo must be smaller than ${maxLogoBytes / 1024} kilobytes`
            : 'Choose a PNG or JPEG file';
        const errors = fieldError('file', text);
        return sendSite(deps, request, reply.code(error.kind.status), { errors });
      }
    });
  });
}

function colourErrors(colour: string): FormErrors | undefined {
  if (!/^#[0-9a-f]{6}$/.test(colour))
    return fieldError('colour', 'Enter a colour as # and six digits or letters, for example #005eb8');
  if (contrastWithWhite(colour) < 4.5)
    return fieldError('colour', 'Choose a darker colour: white words on it would be hard to read');
  return undefined;
}

/** A drawing in SVG could hold a script, so only pictures that a referral may have are taken. */
function logoType(content: Buffer): Logo['type'] | undefined {
  const type = detectFileType(content)?.mediaType;
  return type === 'application/pdf' ? undefined : type;
}

async function setLogo(deps: WebPlatform, request: Request, logo: Logo | null): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await saveBranding(trx, { ...(await findBranding(trx)), logo });
    await recordSiteChange(trx, deps, request, 'site.look_changed', { logo: logo?.type ?? null });
  });
}

function recordSiteChange(
  trx: Parameters<typeof recordAudit>[0],
  { clock }: WebPlatform,
  request: Request,
  action: AuditAction,
  details: Record<string, string | boolean | null>,
): Promise<unknown> {
  const actor = actorOf(requireCaller(request), request.ip);
  return recordAudit(trx, { at: clock.now(), actor, action, subject: { type: 'site', id: 'site' }, details });
}

/** The ratio of the contrast of white text on a colour such as `#005eb8`, from 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrastWithWhite(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
