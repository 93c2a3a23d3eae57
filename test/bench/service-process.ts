import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withNeededVariables } from '../support/process-variables.ts';

export interface ServiceProcess {
  name: string;
  /** Resident bytes, as its own metrics page tells. */
  memory(): Promise<number>;
  /** A line of that page, which has no labels. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

const ROOT = join(__dirname, '../..');
const PATIENCE_MS = 20_000;

/** A service as it is shipped: built, in a process of its own, configured by its environment alone. */
export async function startService(
  name: string,
  adminPort: number,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'services', name, 'dist/main.js')], {
    env: {
      PATH: '',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      ADMIN_PORT: String(adminPort),
      ...(await withNeededVariables(env)),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const page = (path: string) => fetch(`http://127.0.0.1:${adminPort}${path}`);
  const end = Date.now() + PATIENCE_MS;
  while (
    !(await page('/readyz').then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`${name} is not ready; run "npm run build" first`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const metric = async (line: string) =>
    Number(new RegExp(`^${line}\\S* (\\S+)`, 'm').exec(await (await page('/metrics')).text())?.[1]);
  return {
    name,
    metric,
    memory: () => metric('process_resident_memory_bytes'),
    close: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
