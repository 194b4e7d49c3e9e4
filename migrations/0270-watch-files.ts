import { type Kysely, sql } from 'kysely';

/** A file whose name has words of a crisis is watched until somebody of the other side has opened it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table unseen_news_kinds (kind text primary key)`.execute(db);
  await sql`comment on table unseen_news_kinds is 'What is watched. A migration adds a row for a new kind.'`.execute(
    db,
  );
  await sql`
    insert into unseen_news_kinds (kind)
    values ('referral'), ('message'), ('change'), ('correction'), ('death'), ('ended'), ('file')`.execute(db);
  await sql`
    alter table unseen_news
      drop constraint unseen_news_kind_check,
      add constraint unseen_news_kind foreign key (kind) references unseen_news_kinds`.execute(db);
  await sql`comment on column unseen_news.id is 'The id of the referral, message, change or file.'`.execute(
    db,
  );
}
