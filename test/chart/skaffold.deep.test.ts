import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { openLoneGateway } from '../api/lone-gateway.ts';
import { productSources, ROOT, serviceFolders } from '../guards/sources.ts';
import { skipAloud } from '../support/skips.ts';
import { describeChart } from './describe-chart.ts';
import { CHART, helmTemplate, readYaml } from './helm.ts';

interface Artifact {
  image: string;
  sync?: { manual: { src: string; dest: string }[] };
  docker: { dockerfile: string; target?: string; buildArgs: { SERVICE: string } };
}

interface Skaffold {
  apiVersion: string;
  build: { artifacts: Artifact[] };
  deploy: { helm: { releases: { name: string; chartPath: string; setValueTemplates: Record<string, string> }[] } };
  portForward: { resourceName: string; port: number }[];
  profiles: { name: string; build?: { artifacts: Artifact[] }; patches: { path: string; value: unknown }[] }[];
  verify: { container: { image: string; command: string[] } }[];
}

const MODEL = 'engines.llm.env.LLM_BASE_URL';
const skaffold = readYaml<Skaffold>(join(ROOT, 'skaffold.yaml'));
const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name ?? '');
const lists = [
  ['production', skaffold.build.artifacts] as const,
  ...skaffold.profiles.flatMap(({ name, build }) => (build ? [[name, build.artifacts] as const] : [])),
];

const { SKAFFOLD_SCHEMA } = process.env;
if (!SKAFFOLD_SCHEMA)
  skipAloud('skaffold.yaml against the schema that skaffold publishes: SKAFFOLD_SCHEMA names its file');

describe('skaffold.yaml', () => {
  (SKAFFOLD_SCHEMA ? it : it.skip)('is what skaffold says of such files', () => {
    const isSound = new Ajv({ strict: false }).compile(
      JSON.parse(readFileSync(SKAFFOLD_SCHEMA ?? '', 'utf8')) as object,
    );
    // Skaffold leaves out what begins with a dot: it is there for anchors.
    const told = Object.entries(skaffold).filter(([key]) => !key.startsWith('.'));
    isSound(Object.fromEntries(told));
    expect(isSound.errors ?? []).toEqual([]);
  });

  it.each(lists)('builds every service for %s, from a stage that the Dockerfile has', (_name, artifacts) => {
    expect(artifacts.map(({ docker }) => docker.buildArgs.SERVICE).sort()).toEqual(serviceFolders().sort());
    expect(artifacts.filter(({ image, docker }) => image !== `postroom-${docker.buildArgs.SERVICE}`)).toEqual([]);
    expect(artifacts.filter(({ docker }) => docker.target && !stages.includes(docker.target))).toEqual([]);
  });

  it('production is the last stage, which is what a build without a target makes', () => {
    expect(stages.at(-1)).toBe('runtime');
  });

  it('copies every source into the pods that run it, and nothing into production', () => {
    const developed = lists.flatMap(([, artifacts]) => artifacts).filter(({ docker }) => docker.target === 'dev');
    expect(developed.filter(({ sync }) => sync !== developed[0]?.sync)).toEqual([]);
    expect(skaffold.build.artifacts.filter(({ sync }) => sync)).toEqual([]);
    const globs = (developed[0]?.sync?.manual ?? []).map(
      ({ src }) => new RegExp(`^${src.replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.+/)?'))}$`),
    );
    const sources = productSources().filter(({ path }) => /^(services|libs)\//.test(path));
    expect(sources.filter(({ path }) => !globs.some((glob) => glob.test(path)))).toEqual([]);
    expect(globs.filter((glob) => !sources.some(({ path }) => glob.test(path)))).toEqual([]);
  });

  it('replaces one service alone by the image that was built of it', () => {
    const [one] = skaffold.profiles.filter(({ name }) => name === 'one');
    const [values, flags] = (one?.patches ?? []).map(({ value }) => value);
    const [key = ''] = Object.keys(values as object);
    // As skaffold expands it when -b names one image.
    const keys = serviceFolders().map((name) => key.replace('{{ trimPrefix "postroom-" .IMAGE_NAME }}', name));
    expect(keys).toEqual(serviceFolders().map((name) => `services.${name}.image.ref`));
    expect(flags).toEqual({ upgrade: ['--reuse-values'] });
  });

  it('hands each image to the service it was built for, and the model of its caller to the chart', () => {
    const [release] = skaffold.deploy.helm.releases;
    expect(release?.setValueTemplates).toEqual(
      Object.fromEntries([
        ...serviceFolders().map((name) => [
          `services.${name}.image.ref`,
          `{{.IMAGE_FULLY_QUALIFIED_postroom_${name.replaceAll('-', '_')}}}`,
        ]),
        [MODEL, '{{.LLM_BASE_URL}}'],
      ]),
    );
  });
});

describe('skaffold verify', () => {
  it.each([
    ['hears of an API that answers', '', 0],
    ['and of one that does not', '/not-there', 1],
  ])('%s', async (_what, more, code) => {
    const gateway = await openLoneGateway();
    const [program = '', ...args] = skaffold.verify[0]?.container.command ?? [];
    const here = args.map((arg) => arg.replace(/http:[^']+\/api\/v1([^']*)/, `${gateway.baseUrl}$1${more}`));
    const child = spawn(program, here, { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([code, null]);
    await gateway.close();
  });
});

describeChart('skaffold.yaml and the chart', () => {
  const [release] = skaffold.deploy.helm.releases;
  const files = skaffold.profiles.map(({ name, patches }): [string, string[]] => [
    name,
    patches.flatMap(({ path, value }) => (path.endsWith('/valuesFiles') ? (value as string[]) : [])),
  ]);

  it.each([['no profile', []] as [string, string[]], ...files])(
    'agree on keys, files and the name of the gateway (%s)',
    (name, values) => {
      expect(join(ROOT, release!.chartPath)).toBe(CHART);
      const keys = Object.keys(release!.setValueTemplates);
      const set = keys.map((key) => `${key}=${key === MODEL ? 'https://models.example/v1' : 'postroom/image:tag'}`);
      const { output, error } = helmTemplate({
        release: release!.name,
        set,
        values: values.map((file) => file.replace('charts/postroom/', '')),
      });
      expect(error).toBe('');
      expect(output).toContain('image: "postroom/image:tag"');
      expect(output).toContain(`name: "${skaffold.portForward[0]?.resourceName}"`);
      // A trial has engines of its own; whoever names others gets none.
      expect(output.includes('app.kubernetes.io/component: redis')).toBe(name === 'dev');
    },
  );

  it('verify by an image that is built and a name that the chart gives', () => {
    const [{ container }] = skaffold.verify as [Skaffold['verify'][number]];
    expect(skaffold.build.artifacts.map(({ image }) => image)).toContain(container.image);
    expect(container.command.join(' ')).toContain(`http://${skaffold.portForward[0]?.resourceName}/api/v1/`);
  });
});
