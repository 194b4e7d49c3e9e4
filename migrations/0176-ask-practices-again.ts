import { type Kysely, sql } from 'kysely';

/**
 * Versions of one week marked the tasks that a practice had got as a code alone, since they sent no full copy later. Today the
 * version from which copies are full says the same, so such a task is asked again with the next letter.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update referrals set content = content
      || jsonb_build_object('full_copies_since', version + 1, 'gp_actions',
        (select jsonb_agg(action - 'told_by_hand_only' order by number)
          from jsonb_array_elements(content -> 'gp_actions') with ordinality as listed (action, number)))
    where content @? '$.gp_actions[*].told_by_hand_only'`.execute(db);
}
