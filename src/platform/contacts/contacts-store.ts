import { type Db, notify, type Trx } from '../database/index.ts';

/** Whom people ask for help, and whom they tell about a risk to a patient, as an operator entered them on a page. */
export type EnteredContacts = { operatorContact: string | null; clinicalSafetyContact: string | null };

/** The topic of the notice that the contacts were changed. */
export const contactsTopic = 'contacts';

export async function findEnteredContacts(db: Db): Promise<EnteredContacts> {
  const contacts = await db
    .selectFrom('site_contacts')
    .select(['operator_contact as operatorContact', 'clinical_safety_contact as clinicalSafetyContact'])
    .executeTakeFirst();
  return contacts ?? { operatorContact: null, clinicalSafetyContact: null };
}

export async function saveContacts(
  trx: Trx,
  contacts: EnteredContacts & { updatedAt: Date; updatedByName: string },
): Promise<void> {
  const row = {
    operator_contact: contacts.operatorContact,
    clinical_safety_contact: contacts.clinicalSafetyContact,
    updated_at: contacts.updatedAt,
    updated_by_name: contacts.updatedByName,
  };
  await trx
    .insertInto('site_contacts')
    .values({ single: true, ...row })
    .onConflict((conflict) => conflict.column('single').doUpdateSet(row))
    .execute();
  await notify(trx, contactsTopic, '');
}
