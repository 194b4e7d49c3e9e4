import { parse } from 'node-html-parser';
import { aService } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';
import { setChannels, setPrivacy } from '../library/stored.ts';
import { subjectsTo } from '../network/mailbox.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';

const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };

/** A site on which people refer themselves, its owner and deputy, another link worker, and somebody without an account. */
export async function selfReferralFixture() {
  const env = { ONWARD_PUBLIC_DIRECTORY: 'true', ONWARD_SELF_REFERRAL: 'true' };
  const site = await makeApp({ env });
  const { serviceId, serviceName } = await aService(site.deps);
  await setChannels(site.deps.db, serviceId, { channels: ['inbox'] });
  await setPrivacy(site.deps.db, serviceId, { self_referral: true });
  const operator = await signedInBrowser(site, { role: 'operator' });
  const owner = await signedInBrowser(site, { organisation: surgery, name: 'Olga Owner' });
  const deputy = await signedInBrowser(site, { organisation: surgery, name: 'Dev Deputy' });
  const colleague = await signedInBrowser(site, { name: 'Carla Colleague' });

  const desk = { owner: owner.id, deputy: deputy.id, weekdays: ['0', '1', '2', '3', '4'], open: 'yes' };
  const setDesk = (change: Partial<Record<keyof typeof desk, string | string[]>> = {}) =>
    operator.send('/operator/self-referrals', { ...desk, ...change });

  /** A browser without an account. */
  async function stranger(url: string, form?: Record<string, string>, ip = '192.0.2.1') {
    const answer = await site.app.inject({
      url,
      method: form ? 'POST' : 'GET',
      remoteAddress: ip,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    });
    const page = parse(answer.body);
    return {
      status: answer.statusCode,
      location: answer.headers.location as string | undefined,
      headers: answer.headers,
      page,
      text: page.querySelector('main')?.structuredText ?? '',
    };
  }

  const path = `/find/${serviceId}/refer-yourself`;
  const first = { safe: 'yes', age: '16-or-over' };
  let count = 0;

  /** The form of the second step as somebody fills it in, with the id that the page gave it. */
  async function filled(change: Record<string, string> = {}) {
    count += 1;
    const { page } = await stranger(path, { ...first, ...change });
    const formId = page.querySelector('input[name=form_id]')!.getAttribute('value')!;
    return {
      ...first,
      step: 'send',
      form_id: formId,
      given_name: 'Ines',
      family_name: 'Marsh',
      telephone: `01632 96${String(1000 + count)}`,
      voicemail: 'no',
      ...change,
    };
  }

  /** Somebody refers themselves. @returns its id. */
  async function referred(change: Record<string, string> = {}): Promise<string> {
    const form = await filled(change);
    const { status } = await stranger(path, form, `198.51.100.${count % 250}`);
    if (status !== 303) throw new Error(`the form was answered with ${status}`);
    return form.form_id;
  }

  await setDesk();
  return {
    site,
    serviceId,
    serviceName,
    operator,
    owner,
    deputy,
    colleague,
    setDesk,
    stranger,
    path,
    first,
    filled,
    referred,
    mails: (who: { email: string }) => subjectsTo(site, who.email),
  };
}
