import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { siteActor } from '../../../src/audit/index.ts';
import { tellPracticesNews } from '../../../src/delivery/index.ts';
import type { WrittenLetter } from '../../../src/delivery/letter/letter.ts';
import { deliver } from '../../../src/delivery/send/deliver.ts';
import { importPractices } from '../../../src/exchange/index.ts';
import { dayMs } from '../../../src/platform/durations.ts';
import { remindOverdue } from '../../../src/referrals/index.ts';
import { aReferral, aService, aTestNhsNumber, aTokenHolder, renewToken } from '../../app/builders.ts';
import { makeApp } from '../../app/make-app.ts';
import { setChannels, setPrivacy } from '../../library/stored.ts';
import { mailsTo } from '../../network/mailbox.ts';
import { virusScanner } from '../../network/virus-scanner.ts';
import { attachPdf } from '../../referrals/attach-pdf.ts';
import { linkHolder, pathIn } from '../answer-fixture.ts';
import { setServiceAddress } from '../receivers.ts';
import { capturedMessages, storedDeliveries } from '../stored.ts';

/** The day and time of the first letter of each kind, a Monday. */
const start = Date.parse('2026-09-07T09:30:00Z');
const hourMs = 3_600_000;

export type Life = ReturnType<Awaited<ReturnType<typeof letterSite>>['newLife']>;

/** A site with two practices, and the services and people that letters of every kind are about. */
export async function letterSite() {
  const scanner = await virusScanner();
  const site = await makeApp({
    env: {
      ONWARD_SITE_NAME: 'Sarrowby referrals',
      ONWARD_SCAN_URL: scanner.url,
      ONWARD_REJECT_AFTER_DAYS: '28',
    },
  });
  const { deps, clock } = site;
  clock.moveOn(start - clock.now().getTime());
  const trust = { organizationId: crypto.randomUUID(), organizationName: 'Sarrowby Arts Trust' };
  const named = (serviceName: string, more: object = {}) =>
    aService(deps, { ...trust, serviceName, telephone: '01632 960200', ...more });
  const alone = (organizationName: string) => ({ organizationId: crypto.randomUUID(), organizationName });
  const services = {
    choir: await named('Sarrowby Community Choir'),
    painting: await named('Painting for Wellbeing'),
    debt: await named('Sarrowby Debt Advice', alone('Sarrowby Advice Centre')),
    refuge: await named('Sarrowby Women’s Aid', alone('Sarrowby Women’s Aid')),
    walks: await named('Tuesday Walking Group', alone('Footpath Friends')),
  };
  await setChannels(deps.db, services.refuge.serviceId, { channels: ['inbox'] });
  await setPrivacy(deps.db, services.refuge.serviceId, { sensitive: true });
  const desk = {
    email: 'desk@footpath-friends.example.org',
    code_email: 'office@footpath-friends.example.org',
  };
  await setChannels(deps.db, services.walks.serviceId, { channels: ['email'] });
  for (const [channel, address] of Object.entries(desk))
    await setServiceAddress(deps.db, { serviceId: services.walks.serviceId, channel, address });
  const practices = [
    'ods_code,name,address,city,postcode,latitude,longitude,phone',
    'Z99002,Mill Lane Surgery,1 Mill Lane,Sarrowby,ZT1 1AA,54.05,-2.15,01632 960001',
    'Z99003,Castle Hill Practice,9 Castle Hill,Sarrowby,ZT1 1AB,54.05,-2.15,01632 960002',
  ];
  await importPractices(deps, siteActor, Readable.from([Buffer.from(`${practices.join('\n')}\n`)]));
  const staff = { jobTitle: 'Social prescribing link worker', telephone: '01632 960900' };
  const referrer = await aTokenHolder(deps, {
    name: 'Asha Patel',
    organisation: { name: 'Sarrowby Link Workers' },
  });
  const provider = await aTokenHolder(deps, {
    name: 'Jo Hall',
    role: 'provider',
    organisation: { name: trust.organizationName, libraryOrganizationId: trust.organizationId },
  });
  await deps.db
    .updateTable('accounts')
    .set({ job_title: staff.jobTitle, telephone: staff.telephone })
    .where('id', '=', referrer.id)
    .execute();
  let people = 0;

  async function call(
    who: typeof referrer,
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    payload?: object,
  ) {
    const version = path === '' || method === 'GET' ? undefined : (await read(path.split('/')[1]!)).version;
    const answer = await site.app.inject({
      method,
      url: `/api/referrals${path}`,
      headers: { ...who.headers, ...(version !== undefined && { 'if-match': `"${version}"` }) },
      ...(payload && { payload }),
    });
    if (answer.statusCode >= 400) throw new Error(`${method} ${path.split('/')[2] ?? ''}: ${answer.body}`);
    return answer.json();
  }

  async function read(id: string): Promise<{ version: number; status: string }> {
    const { body } = await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers });
    return JSON.parse(body);
  }

  /** Sends what waits, as the worker does within a second. */
  async function deliverAll(id: string): Promise<void> {
    for (const { id: delivery_id, status } of await storedDeliveries(deps.db, id))
      if (status === 'queued') await deliver(deps, { delivery_id });
  }

  /** The life of a referral of another person, from the same Monday on. Each step sends its letters, and takes an hour. */
  function newLife(who: string, patient: object = {}) {
    people += 1;
    clock.moveOn(start - clock.now().getTime());
    const [given_name, family_name, birth_date] = who.split(' ');
    const person = { ...aReferral('').patient, given_name, family_name, birth_date };
    const whole = { ...person, nhs_number: aTestNhsNumber(people), ...patient };
    let id = '';
    let service: keyof typeof services = 'choir';

    async function wait(days: number): Promise<void> {
      clock.moveOn(days * dayMs);
      for (const who of [referrer, provider]) await renewToken(deps, who);
    }
    async function settle(): Promise<void> {
      await deliverAll(id);
      clock.moveOn(hourMs);
    }
    async function step(who: typeof referrer, action: string, body: object = {}): Promise<void> {
      await call(who, 'POST', `/${id}/${action}`, body);
      await settle();
    }
    /** Lets staff of a charity without an account do this by their link. */
    async function byLink(steps: readonly Record<string, string>[]): Promise<void> {
      const sent = (await capturedMessages(deps.db)).findLast(
        (each) => each.referral_id === id && each.channel === 'email',
      );
      const path = pathIn(sent!.body)!;
      const holder = linkHolder(site);
      const who = { name: 'Rosa Reed', role: 'Duty manager' };
      await holder.send(path, { ...who, answer: 'accept' });
      await holder.send(path, { step: 'send-code' });
      const code = /^\d{6}/.exec((await mailsTo(site, desk.code_email)).at(-1)!.text)![0];
      await holder.send(`${path}?do=code`, { ...who, code });
      for (const { step: name, ...fields } of steps) {
        const answer = await holder.send(`${path}?do=${name}`, { ...who, ...fields });
        if (answer.status !== 303) throw new Error(parse(answer.html).querySelector('main')?.structuredText);
      }
    }

    return {
      wait,
      /** Refers the person. The practice is asked for nothing, unless `given` says otherwise. */
      async refer(given: object = {}, to: keyof typeof services = service): Promise<void> {
        service = to;
        const body = aReferral(services[to].serviceId, {
          patient: whole,
          reasons: [{ text: 'Lonely since the death of a close friend.' }],
          gp_practice: { ods_code: 'Z99002' },
          risk: 'no',
          contact: { safe: 'yes', channel: 'telephone' },
          gp_actions: [],
          ...given,
        });
        ({ id } = await call(referrer, 'POST', '', body));
        await settle();
      },
      /** Something that the service does. */
      service: (action: string, body: object = {}) => step(provider, action, body),
      /** Something that the referrer does. */
      referrer: (action: string, body: object = {}) => step(referrer, action, body),
      async correct(body: object): Promise<void> {
        await call(referrer, 'PATCH', `/${id}`, body);
        await settle();
      },
      async accepted(): Promise<void> {
        await wait(2);
        await step(provider, 'accept');
      },
      async started(): Promise<void> {
        await wait(2);
        await step(provider, 'accept');
        await wait(5);
        await step(provider, 'start');
      },
      async transfer(to: keyof typeof services, reason: string): Promise<void> {
        await step(provider, 'transfer', { service_id: services[to].serviceId, reason });
      },
      async reroute(to: keyof typeof services): Promise<void> {
        const body = { service_id: services[to].serviceId, consent: { referral: true, share_with_gp: true } };
        ({ id } = await call(referrer, 'POST', `/${id}/reroute`, body));
        await settle();
      },
      /** Attaches a file, which the scanner cannot look at while it is away. */
      async attach(name: string, { scanned }: { scanned: boolean }): Promise<void> {
        scanner.isAway = !scanned;
        await attachPdf(site, referrer, id, name);
        scanner.isAway = false;
      },
      async nobodyAnswers(): Promise<void> {
        for (const days of [8, 15, 15]) {
          await wait(days);
          await remindOverdue(deps);
        }
        await settle();
      },
      /** What was measured or said after the end is told once a day has passed. */
      async newsIsTold(): Promise<void> {
        await wait(2);
        await tellPracticesNews(deps);
        await settle();
      },
      async byLink(steps: readonly Record<string, string>[]): Promise<void> {
        await byLink(steps);
        await settle();
      },
      /** The last letter that the practice has about this referral, as a live site would send it. */
      async letter(practice = 'Mill Lane Surgery'): Promise<{ pdf: Buffer; written: WrittenLetter }> {
        const sent = await capturedMessages(deps.db);
        const last = sent.findLast(
          ({ referral_id, recipient }) => referral_id === id && recipient === practice,
        );
        if (!last?.letter) throw new Error('The practice got no letter.');
        const { letter, ...rest } = last.letter as unknown as WrittenLetter;
        const written = { ...rest, letter: { ...letter, test: false } };
        return { pdf: await deps.letterDrawer.draw(written), written };
      },
    };
  }

  return {
    newLife,
    async close(): Promise<void> {
      scanner.close();
      await site.close();
    },
  };
}
