import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { apilogin, isProblem, Onward } from '@onward/client';
import {
  findPage,
  homePage,
  messagePage,
  referPage,
  referralPage,
  resultsPage,
  welcomePage,
} from './pages.js';

// The pages of the app, one function each. A page is answered as text, a form with where to go next.

/**
 * @typedef {import('./sessions.js').Session} Session
 * @typedef {{ status?: number, html?: string, goTo?: string, cookie?: string, css?: string }} Reply
 * @typedef {{ url: URL, form: URLSearchParams, session: Session | undefined }} Visit
 * @typedef {Visit & { session: Session, onward: Onward, user: { name: string, organisation: string } }} UserVisit
 */

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8');
const maxFormLength = 100_000;

/**
 * @param {object} deps
 * @param {string} deps.site
 * @param {string} deps.ownAddress
 * @param {import('./store.js').Store} deps.store
 * @param {import('./sessions.js').Sessions} deps.sessions
 * @param {import('./follow.js').Following} deps.following
 * @param {(message: string, error?: unknown) => void} deps.log
 * @returns {import('node:http').RequestListener}
 */
export function createApp({ site, ownAddress, store, sessions, following, log }) {
  const isSecure = ownAddress.startsWith('https:');

  /** @type {Record<string, (visit: Visit) => Reply | Promise<Reply>>} */
  const forEverybody = {
    'GET /style.css': () => ({ css: style }),

    'GET /sign-in': () => {
      const { url, state } = apilogin.start({ site, returnUrl: `${ownAddress}/signed-in` });
      return { goTo: url, cookie: sessions.begin({ state }, isSecure) };
    },

    // The token is in this address, so it is logged nowhere, and the browser goes on from it at once.
    'GET /signed-in': async ({ url, session }) => {
      const auth = await apilogin.finish(url, session?.state).catch(() => undefined);
      if (session) sessions.end(session);
      if (!auth)
        return {
          status: 400,
          html: messagePage('Sign in again', 'This sign-in was not begun here, or has ended.'),
        };
      const onward = new Onward({ site, auth });
      const { account } = await onward.whoAmI();
      const user = { name: account.name, organisation: account.organisation?.name ?? '' };
      return { goTo: '/', cookie: sessions.begin({ onward, user }, isSecure) };
    },
  };

  /** @type {Record<string, (visit: UserVisit) => Reply | Promise<Reply>>} */
  const forUsers = {
    'GET /': ({ user }) => ({ html: homePage(user, store.referrals()) }),

    'POST /sign-out': ({ session }) => {
      sessions.end(session);
      return { goTo: '/' };
    },

    'GET /find': ({ user }) => ({ html: findPage(user) }),

    // A POST: what is searched for is about a patient, and must not be in an address.
    'POST /find': async ({ user, onward, form }) => {
      const search = text(form, 'search');
      const postcode = text(form, 'postcode');
      try {
        const { contents } = await onward.services.find({ search, ...(postcode && { postcode }) });
        return { html: resultsPage(user, { search, services: contents }) };
      } catch (error) {
        return {
          status: 422,
          html: findPage(user, { values: { search, postcode }, errors: errorsIn(error, form) }),
        };
      }
    },

    'GET /refer': async ({ user, onward, url }) => {
      const service = await onward.services.get(url.searchParams.get('service') ?? '');
      // Made with the form, so that sending it twice makes one referral.
      return { html: referPage(user, { service, values: { key: randomUUID() } }) };
    },

    'POST /refer': async ({ user, onward, form }) => {
      const service = await onward.services.get(text(form, 'service'));
      try {
        const referral = await onward.referrals.create(newReferral(form), {
          idempotencyKey: text(form, 'key'),
        });
        store.saveReferral({
          id: referral.id,
          reference: referral.reference,
          person: `${text(form, 'given_name')} ${text(form, 'family_name')}`,
          service: service.name,
          status: referral.status,
          updatedAt: referral.updated_at,
        });
        await following.begin(referral.id);
        return { goTo: `/referral?id=${referral.id}` };
      } catch (error) {
        // Another attempt after a correction is another referral.
        const values = { ...Object.fromEntries(form), key: randomUUID() };
        return { status: 422, html: referPage(user, { service, values, errors: errorsIn(error, form) }) };
      }
    },

    'GET /referral': async ({ user, onward, url }) => {
      const id = url.searchParams.get('id') ?? '';
      const kept = store.referral(id);
      // The user's own right to see it is the site's to decide. They have it on their screen now, so it counts as seen.
      const referral = await onward.referrals.get(id, { shownToPerson: true });
      return {
        html: referralPage(user, { referral, person: kept?.person ?? '', events: store.eventsOf(id) }),
      };
    },
  };

  /**
   * @param {import('node:http').IncomingMessage} request
   * @returns {Promise<Reply>}
   */
  async function answer(request) {
    const url = new URL(request.url ?? '/', ownAddress);
    const route = `${request.method} ${url.pathname}`;
    const session = sessions.of(request);
    const everybody = forEverybody[route];
    const users = forUsers[route];
    if (!everybody && !users)
      return { status: 404, html: messagePage('Page not found', 'Is the address right?') };
    // Forms come from pages of this app, and from no other website.
    if (request.method === 'POST' && request.headers.origin !== new URL(ownAddress).origin)
      return { status: 403, html: messagePage('Not sent', 'This form did not come from this website.') };
    const form = request.method === 'POST' ? await readForm(request) : new URLSearchParams();
    if (everybody) return everybody({ url, form, session });
    const { onward, user } = session ?? {};
    if (!session || !onward || !user) return { html: welcomePage() };
    try {
      return await /** @type {(visit: UserVisit) => Reply} */ (users)({ url, form, session, onward, user });
    } catch (error) {
      if (isProblem(error, 'not-found'))
        return { status: 404, html: messagePage('Not found', 'It is not here, or not for you.') };
      // A user's token works for 180 minutes.
      if (!isProblem(error, 'invalid-token', 'api-access-disabled')) throw error;
      sessions.end(session);
      return { html: welcomePage() };
    }
  }

  return async (request, response) => {
    if (request.url === '/told')
      return sendOn(await following.told(toWebRequest(request, ownAddress)), response);
    /** @type {Reply} */
    let reply;
    try {
      reply = await answer(request);
    } catch (error) {
      log('A page failed.', error);
      reply = {
        status: 502,
        html: messagePage('Try again', 'The site with the services did not answer as it should.'),
      };
    }
    if (reply.cookie) response.setHeader('set-cookie', reply.cookie);
    response.setHeader('cache-control', 'no-store');
    // With `no-referrer` browsers would not say which website a form came from.
    response.setHeader('referrer-policy', 'same-origin');
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'",
    );
    if (reply.goTo) return response.writeHead(303, { location: reply.goTo }).end();
    response.setHeader('content-type', `text/${reply.css ? 'css' : 'html'}; charset=utf-8`);
    response.writeHead(reply.status ?? 200).end(reply.css ?? reply.html);
  };
}

/** @param {URLSearchParams} form */
function newReferral(form) {
  const nhsNumber = text(form, 'nhs_number');
  const telephone = text(form, 'telephone');
  return {
    service_id: text(form, 'service'),
    patient: {
      ...(nhsNumber && { nhs_number: nhsNumber }),
      given_name: text(form, 'given_name'),
      family_name: text(form, 'family_name'),
      birth_date: text(form, 'birth_date'),
      address: { lines: [text(form, 'address')], postcode: text(form, 'postcode') },
      ...(telephone && { telephone }),
    },
    reasons: [{ text: text(form, 'reason') }],
    consent: { referral: form.has('agrees'), share_with_gp: form.has('share_with_gp') },
  };
}

/**
 * @param {URLSearchParams} form
 * @param {string} name
 */
function text(form, name) {
  return (form.get(name) ?? '').trim();
}

/**
 * The field of our form for a place in what was sent, such as `/patient/address/lines/0`.
 * @param {string} pointer
 */
function fieldAt(pointer) {
  const names = pointer.split('/').filter((name) => !/^\d*$/.test(name));
  const last = names.at(-1) ?? '';
  const renamed = { referral: 'agrees', lines: 'address', text: 'reason', reasons: 'reason' };
  return last in renamed ? renamed[/** @type {keyof typeof renamed} */ (last)] : last;
}

/**
 * What a user can put right: by field where the site names one, in words of this app where those of the site are for programs.
 * Anything else is thrown again.
 * @param {unknown} error
 * @param {URLSearchParams} form
 * @returns {{ field?: string, message: string }[]}
 */
function errorsIn(error, form) {
  if (!isProblem(error) || error.status >= 500 || error.status === 401) throw error;
  const { errors } = error;
  const { title, detail, reference } = error.problem;
  if (error.code === 'possible-duplicate') {
    const known = reference ? `: ${reference}` : '';
    return [
      { message: `The person has an open referral to this service already${known}. Nothing was sent.` },
    ];
  }
  if (errors.length === 0) return [{ message: `${title}. ${detail}` }];
  // One place can be wrong in several ways. Putting the first right is the next step.
  const all = errors.map(({ pointer, message }) => {
    const field = fieldAt(pointer);
    return { field, message: form.get(field) === '' ? 'must not be empty' : message };
  });
  return all.filter(({ field }, index) => all.findIndex((each) => each.field === field) === index);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<URLSearchParams>}
 */
async function readForm(request) {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) {
    body += piece;
    if (body.length > maxFormLength) throw new Error('A form is longer than any of this app.');
  }
  return new URLSearchParams(body);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {string} ownAddress
 */
function toWebRequest(request, ownAddress) {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value);
  const body = method === 'POST' ? /** @type {ReadableStream} */ (Readable.toWeb(request)) : null;
  const init = { method, headers, body, duplex: 'half' };
  return new Request(new URL(url, ownAddress), init);
}

/**
 * @param {Response} answer
 * @param {import('node:http').ServerResponse} response
 */
function sendOn(answer, response) {
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end();
}
