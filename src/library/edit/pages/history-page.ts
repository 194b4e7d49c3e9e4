import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import type { App } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { readAddressHistory } from '../../channels/address-history.ts';
import { servicePath } from '../../view/links.ts';
import { readForEdit } from '../edit-service.ts';
import { listHistory } from '../state/list-history.ts';
import { editConfig, idParams } from './edit-pages.ts';
import { fieldInWords } from './history-words.ts';

const pageLength = 50;
const querystring = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 100 })) });

type Item = Awaited<ReturnType<typeof listHistory>>['items'][number];

/** The history of a service, for the people who may edit it. */
export function historyPage(app: App, deps: WebPlatform): void {
  app.get(
    '/services/:id/history',
    { config: editConfig, schema: { params: idParams, querystring } },
    async (request, reply) => {
      const { id } = request.params;
      const { cursor } = request.query;
      const caller = requireCaller(request);
      const service = await readForEdit(deps.db, caller, id);
      const { items, next_cursor } = await listHistory(deps, caller, { id, cursor, limit: pageLength });
      const path = servicePath(id);
      return deps.pages.send(request, reply, 'library/edit/templates/history.njk', {
        service,
        entryPath: path,
        changes: groupChanges(items),
        addressChanges: await readAddressHistory(deps, { serviceId: id }),
        firstPage: cursor === undefined,
        olderHref: next_cursor && `${path}/history?${new URLSearchParams({ cursor: next_cursor })}`,
      });
    },
  );
}

/** Groups fields that were changed together. */
function groupChanges(items: readonly Item[]) {
  const groups = Map.groupBy(items, ({ at, action, updated_by, account }) =>
    JSON.stringify([at, action, updated_by, account?.id]),
  );
  return [...groups.values()].map((fields) => {
    const { at, action, updated_by, account } = fields[0]!;
    return {
      at,
      action,
      by: account?.name ? `${account.name}, ${updated_by}` : updated_by,
      fields: fields.map(({ field_name, previous_value, replacement_value }) =>
        fieldInWords(field_name, previous_value, replacement_value),
      ),
    };
  });
}
