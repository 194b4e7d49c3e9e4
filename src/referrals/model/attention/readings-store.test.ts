import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { setOrganisation } from '../../../accounts/index.ts';
import { siteActor } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { listMessageReaders, markRead } from './readings-store.ts';

const { site, referrer, provider, post, makeReferral } = await referralLifeFixture();

describe('a referrer who has read a message and moved elsewhere', () => {
  it('is named as its reader no more, as they see it no more', async () => {
    const { id } = await makeReferral();
    const { body: message } = await post(provider, `/${id}/messages`, { text: 'When may we ring her?' });
    const read = { lastMessageId: message.id, lastAttachmentId: null, version: null };
    await inTransaction(site.deps.db, (trx) => markRead(trx, id, referrer.id, read));
    const readers = async () => (await listMessageReaders(site.deps.db, id)).map(({ side }) => side);
    expect(await readers()).toEqual(['referrer']);
    await setOrganisation(site.deps, siteActor, { id: referrer.id }, { name: 'The Old Mill' });
    expect(await readers()).toEqual([]);
  });
});
