import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Addresses } from '@postroom/local/services';
import { openStack } from '@postroom/local/stack';

/** Every service in one process beside the database, so that one kill ends them all without a word. */
export interface StackProcess {
  baseUrl: string;
  appUrl: string;
  addresses: Addresses;
  operatorToken: string;
  kill(): Promise<void>;
}

export async function startStackProcess(
  mongodbUri: string,
  variables: Record<string, string>,
  isBuilt = false,
): Promise<StackProcess> {
  const child: ChildProcess = fork(__filename, [], {
    execArgv: [
      ...(isBuilt ? [] : ['--conditions=@postroom/source']),
      '-r',
      require.resolve('@postroom/from-source/register'),
    ],
    env: { ...process.env, STACK_PROCESS: mongodbUri, STACK_VARIABLES: JSON.stringify(variables) },
  });
  const [opened] = (await once(child, 'message')) as [
    Pick<StackProcess, 'baseUrl' | 'appUrl' | 'addresses' | 'operatorToken'>,
  ];
  return {
    ...opened,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function main(mongodbUri: string, given: string): Promise<void> {
  const variables = JSON.parse(given) as Record<string, string>;
  const { baseUrl, appUrl, addresses, operatorToken } = await openStack({ mongodbUri, variables, logLevel: 'silent' });
  process.send?.({ baseUrl, appUrl, addresses, operatorToken });
}

const { STACK_PROCESS, STACK_VARIABLES } = process.env;
if (STACK_PROCESS && STACK_VARIABLES && process.send) void main(STACK_PROCESS, STACK_VARIABLES);
