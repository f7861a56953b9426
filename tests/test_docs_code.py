"""The code in the documents: types are checked, and what has no types is parsed."""

import configparser
import json
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from tests.support.doc_code import ROOT, Block, blocks, documents

SNAPSHOT = {"language": "en", "texts": {"home": {"title": "Welcome"}}, "colors": {"primary": "#0b5d5e"}}
PYRIGHT, TSC = ROOT / ".venv/bin/pyright", ROOT / "node_modules/.bin/tsc"
SDKS = {
    name: ROOT / "sdks/typescript" / name / "src/index.ts" for name in ("client", "react", "vue", "svelte", "i18next")
}
# What a block takes from the text around it, or from an earlier block.
AROUND = """
import type { LiveryClient, LiveryFallback } from "@livery/client";
import type { ServerLivery } from "@livery/client/server";
declare global {
  const projectId: string;
  const key: string;
  const baseUrl: string;
  const bundled: LiveryFallback;
  const livery: LiveryClient;
  const server: ServerLivery;
  const item: { readonly story?: string };
  const render: (...shown: readonly unknown[]) => void;
  const show: (...shown: readonly unknown[]) => void;
}
"""
FILES = {
    "app.tsx": "export const App = () => null;\n",
    "livery.tsx": 'import type { LiveryContent } from "@livery/client";\nimport type { ReactNode } from "react";\n'
    "export const Livery = (_: { content?: LiveryContent | undefined; children: ReactNode }) => null;\n",
}
MODULES = """
declare module "i18next-http-backend";
declare module "@react-native-async-storage/async-storage" {
  const AsyncStorage: {
    getAllKeys(): Promise<readonly string[]>;
    getItem(key: string, callback?: (error?: Error | null, result?: string | null) => void): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default AsyncStorage;
}
declare module "react-native" {
  type AppStateStatus = "active" | "background" | "inactive" | "unknown" | "extension";
  export const AppState: {
    readonly currentState: AppStateStatus;
    addEventListener(type: "change" | "blur", listener: (state: AppStateStatus) => void): { remove(): void };
  };
}
declare module "expo/fetch" {
  interface FetchRequestInit {
    readonly headers?: HeadersInit;
    readonly signal?: AbortSignal;
    readonly credentials?: RequestCredentials;
  }
  export function fetch(url: string | URL, init?: FetchRequestInit): Promise<Response>;
}
declare module "*.vue" {
  const component: import("vue").Component;
  export default component;
}
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder inside of the project, from which its packages are found."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    path = Path(tempfile.mkdtemp(prefix="docs-code-", dir=ROOT / ".cache"))
    yield path
    shutil.rmtree(path)


def output(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
    return f"{done.stdout}{done.stderr}" if done.returncode else ""


def named(text: str, given: Sequence[Block]) -> str:
    """The report of a program with the places of the documents in place of the files."""
    for block in given:
        text = text.replace(block.name, block.place)
    return text


def compiled(folder: Path, given: Sequence[Block]) -> str:
    """The faults that the compiler finds in a program of these blocks."""
    folder.mkdir()
    for block in given:
        (folder / f"{block.name}.{block.language}").write_text(f"{block.text}\nexport {{}};\n")
    (folder / "around.d.ts").write_text(AROUND)
    (folder / "modules.d.ts").write_text(MODULES)
    (folder / "livery.en.json").write_text(json.dumps(SNAPSHOT))
    for name, code in FILES.items():
        (folder / name).write_text(code)
    paths = {f"@livery/{name}": [str(path)] for name, path in SDKS.items()}
    paths |= {"@livery/client/adapters": [str(SDKS["client"].with_name("adapters.ts"))]}
    paths |= {"@livery/client/language": [str(SDKS["client"].with_name("language.ts"))]}
    paths |= {"@livery/client/react-native": [str(SDKS["client"].with_name("react-native.ts"))]}
    paths |= {"@livery/react/intl": [str(SDKS["react"].with_name("intl.ts"))]}
    paths |= {"@livery/client/server": [str(SDKS["client"].with_name("server.ts"))]}
    options = {
        "module": "ESNext",
        "moduleResolution": "bundler",
        "jsx": "react-jsx",
        "paths": paths,
        "noUnusedLocals": False,
        "rootDir": str(ROOT),
        "types": ["node"],
    }
    config = {
        "extends": str(ROOT / "sdks/typescript/client/tsconfig.json"),
        "compilerOptions": options,
        "include": ["."],
    }
    (folder / "tsconfig.json").write_text(json.dumps(config))

    report = output(TSC, "-p", folder, "--pretty", "false")
    return named(report, given)


def test_typescript_compiles(folder: Path) -> None:
    given = list(blocks("ts", "tsx"))
    # An app that names its keys does so for its whole program.
    alone = [block for block in given if "declare module" in block.text]
    programs = [[block for block in given if block not in alone], *([block] for block in alone)]

    reports = [compiled(folder / str(number), program) for number, program in enumerate(programs)]

    assert len(given) >= 15
    assert "".join(reports) == ""


def test_python_has_no_fault_of_types(folder: Path) -> None:
    by_document: dict[Path, list[Block]] = defaultdict(list)
    for block in blocks("python"):
        by_document[block.path].append(block)
    for number, given in enumerate(by_document.values()):
        # A document goes on with the names of its earlier blocks.
        (folder / f"document_{number}.py").write_text("\n".join(block.text for block in given))
    config = {"include": ["."], "extraPaths": [str(ROOT), str(ROOT / "sdks/python")], "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))

    report = output(PYRIGHT, "-p", folder, "--pythonpath", ROOT / ".venv/bin/python")

    assert len(by_document) >= 2
    assert report == ""


def test_components_of_vue_and_svelte_compile(folder: Path) -> None:
    given = list(blocks("vue", "svelte"))
    for block in given:
        (folder / f"{block.name}.{block.language}").write_text(block.text)

    report = output("node", "--input-type=module", "--eval", COMPILE, folder)

    assert {block.language for block in given} == {"vue", "svelte"}
    assert named(report, given) == ""


COMPILE = """
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "svelte/compiler";
import { compileScript, compileTemplate, parse } from "vue/compiler-sfc";

const [folder] = process.argv.slice(1);
for (const name of readdirSync(folder)) {
  const source = readFileSync(join(folder, name), "utf8");
  if (name.endsWith(".svelte")) {
    compile(source, { filename: name });
    continue;
  }
  const { descriptor, errors } = parse(source, { filename: name });
  const script = compileScript(descriptor, { id: name });
  const { errors: more } = compileTemplate({ id: name, filename: name, source: descriptor.template.content,
    compilerOptions: { bindingMetadata: script.bindings, expressionPlugins: ["typescript"] } });
  if (errors.length + more.length) throw new Error(`${name}: ${[...errors, ...more].join()}`);
}
"""


def test_scripts_of_pages_compile(folder: Path) -> None:
    given = [block for block in blocks("html") if "<script>" in block.text]
    for block in given:
        (folder / f"{block.name}.js").write_text("".join(re.findall(r"<script>(.*?)</script>", block.text, re.DOTALL)))

    report = "".join(output("node", "--check", folder / f"{block.name}.js") for block in given)

    assert given
    assert named(report, given) == ""


def test_commands_are_commands_of_a_shell() -> None:
    faults = {
        block.place: fault
        for block in blocks("sh")
        if (
            fault := subprocess.run(
                ["bash", "-n"], input=block.text, capture_output=True, text=True, check=False
            ).stderr
        )
    }

    assert faults == {}


def _parse(block: Block) -> None:
    match block.language:
        case "json":
            json.loads(block.text)
        case "yaml":
            list(yaml.safe_load_all(block.text))
        case _:
            text = block.text if "[" in block.text else f"[settings]\n{block.text}"
            configparser.ConfigParser(strict=False, interpolation=None).read_string(text)


@pytest.mark.parametrize("block", list(blocks("json", "yaml", "ini")), ids=lambda block: block.place)
def test_settings_can_be_parsed(block: Block) -> None:
    _parse(block)


def test_each_language_of_a_block_has_its_check() -> None:
    checked = {"ts", "tsx", "python", "vue", "svelte", "html", "sh", "json", "yaml", "ini"}
    others = {
        "dockerfile",
        "sql",
    }  # to build an image takes Docker; the query is for an operator to read

    assert (
        set(re.findall(r"^ *```(\w+)", "\n".join(path.read_text() for path in documents()), re.MULTILINE))
        == checked | others
    )
