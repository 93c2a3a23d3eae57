import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { environmentOf, type KubernetesObject } from '../../chart/objects.ts';

const MOUNTED = '/etc/postroom';
const ADDRESS = /^postroom-([a-z-]+):(\d+)$/;

/** Writes the files that pods read their Secrets from. If an engine has no file, the run goes without it. */
export async function mountSecrets(folder: string, secrets: Record<string, string | undefined>): Promise<void> {
  await mkdir(join(folder, 'secrets'), { recursive: true });
  for (const [name, value] of Object.entries(secrets)) if (value) await writeFile(join(folder, 'secrets', name), value);
  await makeFirstKey(join(folder, 'folders/SECRET_KEYS'), '2026-01-01');
}

/** The environment of a pod in the cluster, with the addresses and files of this machine. */
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
