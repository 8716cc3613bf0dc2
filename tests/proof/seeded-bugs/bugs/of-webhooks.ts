import type { SeededBug } from '../seeded-bug.js';

const dispatcher = 'apps/server/src/deliveries/guarded-dispatcher.ts';

/** Bugs that let a delivery reach an address that is not public, or let a worker record results after it has lost its lease. */
export const bugsOfWebhooks: readonly SeededBug[] = [
  {
    name: 'only a DNS lookup hook checks addresses, but Node does not call the hook if the URL contains an address',
    changes: [
      { file: dispatcher, from: 'requireAllowedHost(target.hostname, networks);', to: '' },
      {
        file: dispatcher,
        from: 'else if (socket.remoteAddress === undefined || !isAllowed(socket.remoteAddress)) {',
        to: 'else if (socket.remoteAddress === undefined) {',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/deliveries/guarded-dispatcher.test.ts',
      title: 'is not reached when the URL has the host %s',
    },
  },
  {
    name: 'a stalled worker records its results after another worker has leased the endpoint',
    changes: [
      {
        file: 'apps/server/migrations/0017_webhooks.sql',
        from: 'where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch\n  for no key update\n',
        to: 'where e.id = p_endpoint_id\n  for no key update\n',
      },
    ],
    caughtBy: {
      package: 'apps/server',
      file: 'src/deliveries/deliveries.db.test.ts',
      title:
        'cannot lock an endpoint or renew its lease after the lease expired and another worker leased the endpoint',
    },
  },
];
