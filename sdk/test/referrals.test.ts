import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { siteActor } from '../../src/audit/index.ts';
import { importServices } from '../../src/exchange/index.ts';
import { isProblem, type Onward, type ProblemError, type Referral, type Versioned } from '../src/index.ts';
import { type ClientFixture, makeClientFixture } from './client-fixture.ts';

let fixture: ClientFixture;
let practice: Onward;
let service: Onward;
beforeAll(async () => {
  fixture = await makeClientFixture();
  practice = fixture.client('referrer');
  service = fixture.client('provider');
});
afterAll(() => fixture.close());
beforeEach(() => fixture.line.reset());

const noCapacity = { code: 'no-capacity' as const, text: 'The group is full until Easter.' };
const pdf = new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' });
const make = () => practice.referrals.create(fixture.newReferral());
const count = (path: RegExp) =>
  fixture.line.sent.filter((each) => path.test(`${each.method} ${each.path}`)).length;

describe('the referrals of a client', () => {
  it('go from a draft to what the person gained', async () => {
    const { patient, ...rest } = fixture.newReferral();
    const draft = await practice.referrals.draft({ patient });
    expect([draft.status, draft.etag]).toEqual(['draft', expect.stringMatching(/^"1-/)]);
    await expect(practice.referrals.send(draft)).rejects.toThrow('422');
    const whole = await practice.referrals.changeDraft(draft, { patient, ...rest });
    const sent = await practice.referrals.send(whole);
    expect([sent.id, sent.status]).toEqual([draft.id, 'requested']);
    await expect(practice.referrals.send(whole)).rejects.toMatchObject({ code: 'version-stale' });

    const accepted = await service.referrals.accept(await service.referrals.get(sent.id));
    const started = await service.referrals.start(accepted);
    const waiting = await service.referrals.hold(started, { status_reason: noCapacity });
    const again = await service.referrals.start(
      await service.referrals.changeWait(waiting, { status_reason: { ...noCapacity, text: 'Until May.' } }),
    );
    const outcome = { code: 'goals-met', text: 'He walks every week.' };
    const completed = await service.referrals.complete(again, { outcome });
    expect(completed).toMatchObject({ status: 'completed', outcome });
    expect((await practice.referrals.get(sent.id)).version).toBe(completed.version);
  });

  it('end in each of the other ways', async () => {
    const rejected = await service.referrals.reject(await make(), { status_reason: noCapacity });
    expect(rejected).toMatchObject({ status: 'rejected', status_reason: noCapacity });
    const other = { service_id: fixture.place.serviceId, consent: { referral: true, share_with_gp: true } };
    const rerouted = await practice.referrals.reroute(rejected.id, other as never);
    expect(rerouted).toMatchObject({ status: 'requested', reroutes: rejected.id, version: 1 });
    const text = 'She went to her daughter.';
    const cancelled = await practice.referrals.cancel(rerouted, {
      status_reason: { code: 'moved-away', text },
    });
    expect(cancelled.status).toBe('cancelled');
    const failed = await service.referrals.accept(await make());
    const ended = await service.referrals.fail(failed, { status_reason: { code: 'failed-contact', text } });
    expect(ended.status).toBe('failed');
    const withdrawn = await practice.referrals.withdrawAsError(await make());
    expect(withdrawn.status).toBe('entered-in-error');
    const corrected = await practice.referrals.correct(await make(), { urgency: 'urgent' });
    expect(corrected).toMatchObject({ urgency: 'urgent', version: 2 });
  });

  it('are listed page after page, each with its ETag', async () => {
    const made = [await make(), await make(), await make()];
    const listed: Versioned<Referral>[] = [];
    for await (const each of practice.referrals.list({ direction: 'made', limit: 2 })) {
      listed.push(each);
      if (listed.length === 3) break;
    }
    expect(listed.map(({ id, etag }) => [id, etag])).toEqual(made.reverse().map(({ id }) => [id, '"1"']));
    expect(count(/GET .api.referrals/)).toBe(2);
    expect((await service.referrals.accept(listed[0]!)).status).toBe('accepted');
  });

  it('are found by the person, whose details are in no address', async () => {
    const { patient } = fixture.newReferral({ family_name: 'Quillfeather', birth_date: '1931-01-02' });
    const { id } = await practice.referrals.create({ ...fixture.newReferral(), patient });
    const byNumber = practice.referrals.findPerson({ nhs_number: patient.nhs_number! });
    const byName = practice.referrals.findPerson({ family_name: 'quillfeather', birth_date: '1931-01-02' });
    for (const found of [byNumber, byName])
      expect((await Array.fromAsync(found as AsyncIterable<Referral>)).map((each) => each.id)).toEqual([id]);
    expect(fixture.line.sent.map(({ path }) => path).join()).not.toMatch(/quillfeather|9992/i);
  });

  it('are named by their id, or by themselves', async () => {
    const referral = await make();
    const message = await practice.referrals.sendMessage(referral, 'Would a morning suit her better?');
    expect(await Array.fromAsync(service.referrals.messages(referral))).toEqual([message]);
    expect((await practice.referrals.attach(referral, pdf, 'letter.pdf')).name).toBe('letter.pdf');
    expect((await practice.referrals.get(referral)).id).toBe(referral.id);
    const rejected = await service.referrals.update(referral, (seen) =>
      service.referrals.reject(seen, { status_reason: noCapacity }),
    );
    const other = { service_id: fixture.place.serviceId, consent: { referral: true, share_with_gp: true } };
    expect((await practice.referrals.reroute(rejected, other as never)).reroutes).toBe(referral.id);
  });

  it('carry messages and files once, though answers are lost', async () => {
    const { id } = await make();
    fixture.line.next(/POST .*messages/, 'lose-answer', 'cut-answer');
    const message = await practice.referrals.sendMessage(id, 'Would a morning suit her better?');
    expect(await Array.fromAsync(service.referrals.messages(id))).toEqual([message]);
    fixture.line.next(/POST .*attachments/, 'lose-answer', 'cut-answer');
    const file = await practice.referrals.attach(id, pdf, 'letter.pdf');
    expect(file).toMatchObject({ name: 'letter.pdf', media_type: 'application/pdf' });
    const { body } = await service.call('listAttachments', { path: { id } });
    expect(body.items.map((each) => each.id)).toEqual([file.id]);
    const path = { id, attachment_id: file.id };
    const read = await service.call('getAttachment', { path });
    expect(await read.body.text()).toBe(await pdf.text());
  });
});

describe('what a person has on a screen', () => {
  const told = () =>
    fixture.line.sent
      .filter(({ method }) => method === 'GET')
      .map(({ headers }) => headers['onward-shown-to']);

  it('is told to the site, and what a program reads is not', async () => {
    const { id } = await make();
    await practice.referrals.sendMessage(id, 'Would a morning suit her better?');
    fixture.line.reset();
    await service.referrals.messages(id, { shownToPerson: false }).next();
    await service.referrals.get(id);
    expect((await practice.referrals.get(id)).seen).toBeNull();
    await service.referrals.messages(id, { shownToPerson: true }).next();
    await service.referrals.get(id, { shownToPerson: true });
    expect(told()).toEqual([undefined, undefined, undefined, 'person', 'person']);
    expect((await practice.referrals.get(id)).seen).not.toBeNull();
  });
});

describe('wrong use', () => {
  it('is told in words of this client', async () => {
    const referral = await make();
    await expect(service.referrals.accept({ id: referral.id } as never)).rejects.toThrow(
      /^Pass the referral as `get` or `list` returned it/,
    );
    const attach = (file: unknown, name?: string) =>
      practice.referrals.attach(referral, file as Blob, name as string);
    await expect(attach(Buffer.from('%PDF'), 'letter.pdf')).rejects.toThrow('The file must be a Blob');
    await expect(attach(pdf)).rejects.toThrow('Name the file');
    await expect(attach(new Blob(['Dear all']), 'letter.txt')).rejects.toThrow('PDF, PNG or JPEG');
  });
});

describe('referrals.update', () => {
  const accept = (seen: Versioned<Referral>) =>
    seen.status === 'requested' ? service.referrals.accept(seen) : undefined;

  it('decides again when somebody was faster', async () => {
    const { id } = await make();
    const seen: number[] = [];
    const updated = await service.referrals.update(id, async (referral) => {
      seen.push(referral.version);
      if (seen.length === 1) await practice.referrals.correct(referral, { urgency: 'urgent' });
      return accept(referral);
    });
    expect(seen).toEqual([1, 2]);
    expect(updated).toMatchObject({ status: 'accepted', urgency: 'urgent', version: 3 });
  });

  it('looks whether it was done when the answer was lost', async () => {
    const { id } = await make();
    fixture.line.next(/accept/, 'lose-answer');
    expect((await service.referrals.update(id, accept)).status).toBe('accepted');
    expect(count(/accept/)).toBe(1);
    const other = await make();
    fixture.line.next(/accept/, 'refuse');
    expect((await service.referrals.update(other.id, accept)).status).toBe('accepted');
    expect(count(/accept/)).toBe(3);
  });

  it('changes nothing if you decide so, and throws lasting errors', async () => {
    const { id } = await make();
    expect((await service.referrals.update(id, () => undefined)).status).toBe('requested');
    const refused = practice.referrals.update(id, (seen) => practice.referrals.accept(seen));
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    expect(count(/accept/)).toBe(1);
    // A second message under another key would be one too many.
    const silent = fixture.client('provider', { retries: 0 });
    fixture.line.next(/messages/, 'lose-answer');
    const wrote = silent.referrals.update(id, async (seen) => {
      await silent.referrals.sendMessage(id, 'Hello.');
      return seen;
    });
    await expect(wrote).rejects.toMatchObject({ name: 'NoAnswerError', operationId: 'sendMessage' });
    expect(await Array.fromAsync(service.referrals.messages(id))).toHaveLength(1);
  });

  it('gives up when it is never the first', async () => {
    const { id } = await make();
    let decisions = 0;
    const error: ProblemError = await service.referrals
      .update(id, async (seen) => {
        decisions += 1;
        const urgency = decisions % 2 ? 'urgent' : 'routine';
        await practice.referrals.correct(seen, { urgency, reason: 'It was found out by telephone.' });
        return service.referrals.accept(seen);
      })
      .then(
        () => expect.unreachable(),
        (reason) => reason,
      );
    expect(isProblem(error, 'version-stale')).toBe(true);
    expect(decisions).toBe(5);
  });
});

describe('services', () => {
  it('are found by words that are in no address', async () => {
    const found = await practice.services.find({ search: 'walking by the river', per_page: 5 });
    const [first] = found.contents;
    expect(first).toMatchObject({ id: fixture.place.serviceId });
    expect((await practice.services.get(first!.id)).name).toBe('Tuesday walking group');
    expect(fixture.line.sent.map(({ path }) => path).join()).not.toContain('river');
  });

  it('are copied whole or since a change; incomplete copies throw', async () => {
    const many = Array.from({ length: 400 }, (_, index) => ({
      id: randomUUID(),
      name: `Café number ${index}`,
      description: 'Tea — and a chat. '.repeat(20),
      status: 'active',
      organization_id: fixture.place.organizationId,
    }));
    const lines = many.map((each) => `${JSON.stringify(each)}\n`).join('');
    await importServices(fixture.site.deps, siteActor, Readable.from([Buffer.from(lines)]));
    const copy = await Array.fromAsync(practice.services.all());
    expect(copy).toHaveLength(401);
    expect(new Set(copy.map(({ name }) => name))).toContain('Café number 399');
    expect(await Array.fromAsync(practice.services.all({ modifiedAfter: '2999-01-01' }))).toEqual([]);
    fixture.line.next(/ndjson/, 'cut-answer');
    await expect(Array.fromAsync(practice.services.all())).rejects.toThrow();
    for await (const first of practice.services.all()) {
      expect(first.id).toBeTruthy();
      break;
    }
  });
});
