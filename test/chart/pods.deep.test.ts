import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { addressVariable } from '@postroom/local/services';
import { readConfig, type ConfigSchema } from '@postroom/runtime/config';
import { processConfig } from '@postroom/runtime/run';
import { timeLimits } from '@postroom/runtime/time-limits';
import { ROOT } from '../guards/sources.ts';
import { describeChart } from './describe-chart.ts';
import { chartValues, render, serviceNames } from './helm.ts';
import { componentOf, environmentOf, ofKind, podOf, workloadOf, workloads } from './objects.ts';

/** Those whose address is handed over; the others stand wherever a mailbox or a setting says. */
const VARIABLES: Record<string, string> = { mongodb: 'MONGODB_URI', redis: 'REDIS_URL', kafka: 'KAFKA_BROKERS' };
const ENGINES = Object.keys(VARIABLES);

describeChart('every pod', () => {
  it('has longer to end than its process takes at most', () => {
    const objects = render({ set: ['defaults.shutdown.delaySeconds=12', 'services.gateway.shutdown.graceSeconds=40'] });
    const grace = (name: string) => podOf(workloadOf(objects, name)).terminationGracePeriodSeconds;
    expect([grace('gateway'), grace('workspace')]).toEqual([57, 47]);
    expect(environmentOf(workloadOf(objects, 'gateway'))).toMatchObject({
      SHUTDOWN_DELAY: '12s',
      SHUTDOWN_GRACE: '40s',
    });
  });

  it.each(serviceNames)('has a grace that outlasts every drain, unless somebody shortens it (%s)', (name) => {
    const { SHUTDOWN_GRACE, SHUTDOWN_DELAY } = environmentOf(workloadOf(render(), name));
    const seconds = (text: unknown) => Number.parseInt(String(text), 10);
    expect(seconds(SHUTDOWN_GRACE) * 1_000).toBeGreaterThanOrEqual(timeLimits.shutdownMs);
    const { terminationGracePeriodSeconds: period } = podOf(workloadOf(render(), name));
    expect(period).toBeGreaterThan(seconds(SHUTDOWN_DELAY) + seconds(SHUTDOWN_GRACE));
  });

  it('has a heap smaller than its memory', () => {
    const gateway = workloadOf(
      render({ set: ['services.gateway.resources.limits.memory=2Gi', 'services.gateway.heapPercent=50'] }),
      'gateway',
    );
    expect(environmentOf(gateway).NODE_OPTIONS).toBe('--max-old-space-size=1024');
  });
});

describeChart('secrets', () => {
  it('come from existing Secrets, as files, to the services that use the engine', () => {
    const objects = render({ values: ['ci/external-engines-values.yaml'] });
    const secretsOf = (name: string) =>
      (podOf(workloadOf(objects, name)).volumes ?? [])
        .flatMap(({ projected }) => projected?.sources ?? [])
        .flatMap(({ secret }) => secret.items.map(({ key, path }) => `${secret.name}/${key} as ${path}`))
        .sort();
    expect(secretsOf('gateway')).toEqual([
      'atlas/connection-string as MONGODB_URI',
      'postroom-mcp/token as MCP_TOKEN',
      'postroom-redis/url as REDIS_URL',
      'redis-authority/ca.crt as REDIS_TLS_CA',
    ]);
    expect(secretsOf('mailbox-read')).toEqual([
      'atlas/connection-string as MONGODB_URI',
      'postroom-cursors/secret as CURSOR_SECRET',
    ]);
    expect(secretsOf('mailbox-write')).toEqual([
      'atlas/connection-string as MONGODB_URI',
      'kafka-authority/ca.crt as KAFKA_TLS_CA',
      'kafka-user/password as KAFKA_SASL_PASSWORD',
      'postroom-kafka/brokers as KAFKA_BROKERS',
      'postroom-operators/token as OPERATOR_TOKEN',
    ]);
    expect(secretsOf('classifier')).toContain('model/api-key as LLM_API_KEY');
    expect(environmentOf(workloadOf(objects, 'classifier'))).toMatchObject({
      KAFKA_TOPIC_PREFIX: 'mail.',
      LLM_BASE_URL: 'http://vllm.models:8000/v1',
      MONGODB_POOL_SIZE: '40',
    });
    const [operators, access] = [
      'postroom-operators/token as OPERATOR_TOKEN',
      'postroom-mailbox-access/token as MAILBOX_ACCESS_TOKEN',
    ];
    const mailing = [
      'atlas/connection-string as MONGODB_URI',
      'kafka-authority/ca.crt as KAFKA_TLS_CA',
      'kafka-user/password as KAFKA_SASL_PASSWORD',
      'postroom-kafka/brokers as KAFKA_BROKERS',
      access,
      operators,
    ];
    const appToken = 'postroom-app/token as APP_TOKEN';
    expect(secretsOf('workspace')).toEqual([...mailing, appToken].toSorted());
    expect(secretsOf('app')).toEqual([appToken]);
    expect(secretsOf('operator')).toContain(operators);
    expect(secretsOf('operator')).not.toContain(access);
    expect(secretsOf('outbound-send')).toEqual(mailing);
    expect(secretsOf('mailbox-sync')).toEqual(['atlas/connection-string as MONGODB_URI', access]);
    expect(secretsOf('migrate')).toEqual(['atlas/connection-string as MONGODB_URI']);
  });

  it('may bring the address of the model, in place of its text in the values', () => {
    const from = ['existingSecret=model', 'key=url'].map((part) => `engines.llm.secrets.LLM_BASE_URL.${part}`);
    const objects = render({ set: ['engines.llm.env.LLM_BASE_URL=null', ...from] });
    const { LLM_BASE_URL, LLM_BASE_URL_FILE } = environmentOf(workloadOf(objects, 'classifier'));
    expect([LLM_BASE_URL, LLM_BASE_URL_FILE]).toEqual([undefined, '/etc/postroom/secrets/LLM_BASE_URL']);
  });

  it('bring keys as a folder, which may be empty, to the two services that seal', () => {
    const folders = workloads(render()).flatMap((object) =>
      (podOf(object).volumes ?? []).flatMap(({ secret }) => (secret ? [[componentOf(object), secret]] : [])),
    );
    const keys = { secretName: 'postroom-secret-keys', defaultMode: 0o440, optional: true };
    expect(folders).toEqual([
      ['webhook-delivery', keys],
      ['workspace', keys],
    ]);
    expect(environmentOf(workloadOf(render(), 'workspace')).SECRET_KEYS).toBe('/etc/postroom/folders/SECRET_KEYS');
  });

  it('hand every service a certificate where services speak TLS, and probe without one then', () => {
    const objects = ofKind(render({ set: ['grpcTls.existingSecret=postroom-tls'] }), 'Deployment');
    const variables = ['GRPC_TLS_CA_FILE', 'GRPC_TLS_CERT_FILE', 'GRPC_TLS_KEY_FILE'];
    for (const object of objects) {
      expect(Object.keys(environmentOf(object))).toEqual(expect.arrayContaining(variables));
      expect(podOf(object).containers[0]?.readinessProbe).toMatchObject({ httpGet: { port: 'admin' } });
    }
    expect(environmentOf(workloadOf(render(), 'workspace'))).not.toHaveProperty('GRPC_TLS_CA_FILE');
  });
});

describeChart('the environment', () => {
  const objects = render();
  const developing = render({ values: ['ci/dev-engines-values.yaml'] });

  it.each(serviceNames)('of %s is what its configuration asks for, and nothing it does not know', async (name) => {
    const config = await configOf(name, 'config.ts');
    const known = [...Object.keys(config.shape), ...Object.keys(processConfig.shape), 'NODE_OPTIONS'];
    const given = environmentOf(workloadOf(objects, name));
    expect(Object.keys(given).filter((variable) => !known.includes(variable.replace(/_FILE$/, '')))).toEqual([]);

    // Development engines have no secrets, so there every value stands in the pod itself.
    const values = environmentOf(workloadOf(developing, name));
    expect(() => readConfig(config, values)).not.toThrow();
    expect(() => readConfig(processConfig, values)).not.toThrow();
  });

  it.each(serviceNames)('of %s lists among its engines and calls what its configuration names', async (name) => {
    const wanted = Object.keys((await configOf(name, 'config.ts')).shape);
    const { calls, engines } = chartValues.services[name]!;
    expect(ENGINES.filter((engine) => wanted.includes(VARIABLES[engine] ?? ''))).toEqual(
      ENGINES.filter((engine) => engines.includes(engine)),
    );
    const callees = serviceNames.filter((callee) => wanted.includes(addressVariable(callee)));
    expect(callees).toEqual(serviceNames.filter((callee) => calls.includes(callee)));
  });
});

async function configOf(service: string, file: string): Promise<ConfigSchema<unknown>> {
  const module = (await import(join(ROOT, 'services', service, 'src', file))) as { config: ConfigSchema<unknown> };
  return module.config;
}
