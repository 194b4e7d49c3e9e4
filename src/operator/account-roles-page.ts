import { roles, setRoles } from '../accounts/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';
import { readChoices } from './read-fields.ts';

/** Changes what an account may do. */
export function accountRolesPage(app: App, deps: WebPlatform): void {
  const chosen = (body: unknown) => roles.filter((role) => readChoices(body, 'roles').includes(role));
  changePage(app, deps, {
    name: 'roles',
    template: 'operator/templates/change-roles.njk',
    labels: { roles: 'Roles' },
    values: ({ roles }) => ({ roles }),
    read: (body) => ({ roles: chosen(body) }),
    async change(actor, { id }, body) {
      await setRoles(deps, actor, { id }, chosen(body));
      return 'roles';
    },
  });
}
