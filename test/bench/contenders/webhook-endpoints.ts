import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Endpoint, openEndpoints, SICKNESSES } from '../../faults/webhooks/endpoints.ts';
import { announce } from './report.ts';

const [endpoints = '[]'] = process.argv.slice(2);

/** The servers of these endpoints, and an address that answers with all that arrived at them. */
void openEndpoints(JSON.parse(endpoints) as Endpoint[]).then((servers) => {
  const told = () => ({
    arrivals: servers.arrivals,
    calls: Object.fromEntries([...SICKNESSES, 'elsewhere' as const].map((health) => [health, servers.calls(health)])),
    lookups: servers.lookups().reduce((sum, count) => sum + count, 0),
  });
  const control = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === '/count' ? servers.arrivals.length : told()));
  });
  control.listen(0, '127.0.0.1', () => {
    const { port } = control.address() as AddressInfo;
    announce({ settings: JSON.stringify(servers.settings), control: `http://127.0.0.1:${port}` });
  });
});
