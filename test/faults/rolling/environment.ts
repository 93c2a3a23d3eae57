import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { environmentOf, type KubernetesObject } from '../../chart/objects.ts';

const MOUNTED = '/etc/postroom';
const ADDRESS = /^postroom-([a-z-]+):(\d+)$/;

/** The files that pods find their Secrets in; what is not among them is an engine that this run goes without. */
export async function mountSecrets(folder: string, secrets: Record<string, string | undefined>): Promise<void> {
  await mkdir(join(folder, 'secrets'), { recursive: true });
  for (const [name, value] of Object.entries(secrets)) if (value) await writeFile(join(folder, 'secrets', name), value);
  await makeFirstKey(join(folder, 'folders/SECRET_KEYS'), '2026-01-01');
}

/** What a pod's process starts with in the cluster; names of Services and mounted files are those of this machine. */
export function podEnvironment(
  pod: KubernetesObject,
  folder: string,
  addressOf: (service: string, port: string) => string,
): Record<string, string> {
  const pairs = Object.entries(environmentOf(pod)).map(([name, value]) => {
    const [, service, port] = ADDRESS.exec(value) ?? [];
    return [name, service && port ? addressOf(service, port) : value.replace(MOUNTED, folder)] as const;
  });
  return Object.fromEntries(pairs.filter(([, value]) => !value.startsWith(folder) || existsSync(value)));
}
