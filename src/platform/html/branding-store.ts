import type { Db, Trx } from '../database/index.ts';
import { notify } from '../database/index.ts';

/** The mark and the colour that an operator chose for the header of every page. */
export type SiteBranding = {
  /** Such as `#005eb8`; null for the default blue. */
  colour: string | null;
  logo: Logo | null;
};

export type Logo = { type: 'image/png' | 'image/jpeg'; content: Buffer };

/** The topic of the notice that the branding was changed. */
export const brandingTopic = 'look';

export async function findBranding(db: Db): Promise<SiteBranding> {
  const row = await db
    .selectFrom('site_look')
    .select(['colour', 'logo', 'logo_type as logoType'])
    .executeTakeFirst();
  if (!row) return { colour: null, logo: null };
  const { colour, logo, logoType } = row;
  return { colour, logo: logo && { type: logoType as Logo['type'], content: logo } };
}

export async function saveBranding(trx: Trx, { colour, logo }: SiteBranding): Promise<void> {
  const row = { colour, logo: logo?.content ?? null, logo_type: logo?.type ?? null };
  await trx
    .insertInto('site_look')
    .values({ single: true, ...row })
    .onConflict((conflict) => conflict.column('single').doUpdateSet(row))
    .execute();
  await notify(trx, brandingTopic, '');
}
