"""Services of the web process, created once. None of them knows an answer key."""

from dataclasses import dataclass

from db.session import Database
from leaderboard.openid.attempts import AttemptCookies
from leaderboard.openid.flow import SignInFlow
from leaderboard.openid.provider import ClientCredentials, Provider
from leaderboard.pages.inputs.upload_folder import UploadFolder
from settings import Settings
from settings.environments import listener_environment
from submissions.accounts.credentials import Accounts
from submissions.accounts.hub_tokens import HubTokens
from submissions.accounts.maintainers import ProviderRules
from submissions.accounts.openid_users import Identities
from submissions.comparisons.comparison_requests import Comparisons
from submissions.competitions.competition_service import Competitions
from submissions.editions.disclosed_items import DisclosedItems
from submissions.editions.edition_limits import EditionLimits
from submissions.editions.edition_packs import EditionPacks
from submissions.editions.edition_service import EditionService
from submissions.endpoints.endpoint_service import Endpoints
from submissions.endpoints.vault import find_secrets, open_vault
from submissions.hub.links import PullRequestLinks
from submissions.hub.lookup import HubModels
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.catalogues import Catalogues
from submissions.intake.file_checks.check_processes import CheckProcesses
from submissions.intake.quota_service import Quotas
from submissions.intake.submission_limits import SubmissionLimits
from submissions.listening_test.listening_tests import ListeningTests
from submissions.listening_test.practice_packs import PracticePacks
from submissions.model_registry.directory import ModelDirectory
from submissions.model_registry.merges import ModelMaintenance
from submissions.model_registry.model_pages import ModelPages
from submissions.operations.maintenance import Maintenance
from submissions.operations.replication.databases import open_database
from submissions.practice.practice_service import PracticeService
from submissions.published_rows.reported_rows import ReportedRows
from submissions.service import SubmissionService

# How long a visitor's change waits for other writers, before it is refused with 503.
_LOCK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Services:
    """Services for handlers and routes."""

    settings: Settings
    database: Database
    accounts: Accounts
    catalogues: Catalogues
    submissions: SubmissionService
    practice: PracticeService
    endpoints: Endpoints
    editions: EditionService
    disclosed_items: DisclosedItems
    maintenance: Maintenance
    comparisons: Comparisons
    models: ModelDirectory
    model_pages: ModelPages
    model_maintenance: ModelMaintenance
    page_uploads: UploadFolder
    checks: CheckProcesses
    listening_tests: ListeningTests
    reported_rows: ReportedRows
    competitions: Competitions
    hub_models: HubModels
    pull_request_links: PullRequestLinks
    identities: Identities | None
    sign_in: SignInFlow | None
    hub_tokens: HubTokens | None


def make_provider_rules(settings: Settings) -> ProviderRules | None:
    """Return the maintainer rules for the OpenID provider; None without one."""
    if not settings.uses_provider or settings.oidc_issuer is None:
        return None
    return ProviderRules(settings.oidc_issuer, frozenset(settings.maintainer_subjects), settings.maintainer_org)


def build_services(settings: Settings) -> Services:
    """Migrate the database, and return the services on top of it."""
    database = _open_migrated(settings)
    provider = make_provider_rules(settings)
    accounts = Accounts(database, settings.maintainer_names, provider)
    catalogues = Catalogues(database, settings.packs_dir, settings.shared_splits_until)
    artifacts = ArtifactStore(settings.artifacts_url, settings.data_dir / "incoming")
    limits = SubmissionLimits(settings.submissions_per_day, settings.submissions_per_month, settings.submissions_in_all)
    checks = CheckProcesses(listener_environment())
    max_bytes = settings.max_upload_bytes
    submissions = SubmissionService(database, artifacts, catalogues, accounts, max_bytes, limits, checks)
    vault = open_vault(settings.secret_text, settings.secret_path)
    endpoints = Endpoints(
        database,
        catalogues,
        accounts,
        Quotas(database, limits, accounts),
        submissions,
        vault,
        allows_loopback=settings.allow_loopback_endpoints,
    )
    editions = _build_editions(settings, database, accounts)
    maintenance = Maintenance(database, catalogues, accounts)
    models = ModelDirectory(database)
    return Services(
        settings,
        database,
        accounts,
        catalogues,
        submissions,
        PracticeService(database, artifacts, catalogues, submissions, max_bytes, checks),
        endpoints,
        editions,
        DisclosedItems(database, artifacts, editions),
        maintenance,
        Comparisons(database, submissions, accounts),
        models,
        ModelPages(database, models, accounts, submissions),
        ModelMaintenance(database, accounts),
        UploadFolder(settings.data_dir / "page-uploads", max_bytes),
        checks,
        ListeningTests(database, PracticePacks(settings.packs_dir), accounts),
        ReportedRows(database, accounts),
        Competitions(database, catalogues, accounts),
        HubModels(settings.hub_endpoint),
        PullRequestLinks(database, submissions, settings.hub_endpoint),
        Identities(accounts, provider) if provider is not None else None,
        _build_sign_in(settings),
        HubTokens(settings.hub_endpoint) if settings.accept_hub_tokens else None,
    )


def _open_migrated(settings: Settings) -> Database:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    is_replicated = settings.replica_url is not None
    database = open_database(
        settings.url,
        settings.database_path,
        settings.data_dir,
        is_replicated=is_replicated,
        lock_seconds=_LOCK_SECONDS,
    )
    database.upgrade()
    return database


def _build_editions(settings: Settings, database: Database, accounts: Accounts) -> EditionService:
    limits = EditionLimits(settings.open_editions, settings.editions_per_day)
    return EditionService(database, accounts, EditionPacks(settings.edition_packs_dir), limits)


def _build_sign_in(settings: Settings) -> SignInFlow | None:
    if not settings.uses_provider:
        return None
    # Settings with an issuer have all of these.
    issuer, client_id, public_url = settings.oidc_issuer or "", settings.oidc_client_id or "", settings.public_url or ""
    provider = Provider(issuer, ClientCredentials(client_id, settings.client_secret_text))
    secrets = find_secrets(settings.secret_text, settings.secret_path)
    cookies = AttemptCookies(secrets, is_secure=settings.is_https)
    return SignInFlow(provider, cookies, client_id, public_url, settings.maintainer_org)
